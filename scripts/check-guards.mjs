/**
 * `npm run check:guards`: takes each guard out of a copy of the product, one at a time, and runs the test that keeps it:
 * that test has to go red. What nobody would notice is no guard.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

const help = `npm run check:guards [-- --only name[,name]] [-- --list] [-- --help]

Copies the tree to a temporary folder, runs the named tests there once as they are, then takes one guard out after the
other and runs its test again, which has to fail by an assertion of its own. The tree itself is only built. It runs on a
PostgreSQL of its own and leaves nothing behind. Exit code 1: a guard can go and no test notices.

  --only NAMES   only these, or those whose names begin so
  --list         what there is, and where
  --help         this text
`;

async function main() {
  const { parseArgs } = await import('node:util');
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  const { pickGuards } = await import('./guards/guards.mjs');
  await runMain(async () => {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (values.help) return void process.stdout.write(help);
    const guards = pickGuards(values.only?.split(','));
    const { pnpmDir } = await ensureInstalled();
    const { listGuards, reportGuards } = await import('./guards/report.mjs');
    if (values.list) return listGuards(guards);
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const { withCopy } = await import('./guards/with-copy.mjs');
    const { tryGuards } = await import('./guards/try-guards.mjs');
    return withFreshDatabase(
      (databaseUrl) => withCopy(async (copy) => reportGuards(await tryGuards(guards, copy, databaseUrl))),
      { isMigrated: false },
    );
  });
}

void main();

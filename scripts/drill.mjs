/**
 * `npm run drill`: the rehearsal before every release. 100 receipts, 20 of which the mail server refuses at first, a
 * worker that is stopped in the middle and one that is killed; each receipt has to arrive exactly once.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

const help = `npm run drill [-- --receipts 100] [-- --help]

Enqueues receipts, lets the mail server refuse a fifth of them at first, stops a worker in the middle with SIGTERM, kills
the next one with SIGKILL, and counts what arrived. It runs on a PostgreSQL and a mail server of its own and leaves
nothing behind but the workers' logs in .duework/logs. Exit code 1: a promise broke.

  --receipts N   how many (20 to 10000; 100 unless given)
  --help         this text
`;

function readReceipts(given) {
  const receipts = Number(given);
  if (Number.isInteger(receipts) && receipts >= 20 && receipts <= 10_000) return receipts;
  throw new Error(`--receipts is a whole number from 20 to 10000, not ${given}.`);
}

async function main() {
  const { parseArgs } = await import('node:util');
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  await runMain(async () => {
    const { values } = parseArgs({
      options: { receipts: { type: 'string', default: '100' }, help: { type: 'boolean' } },
    });
    if (values.help) return void process.stdout.write(help);
    const receipts = readReceipts(values.receipts);
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const { runDrill } = await import('./drill/run-drill.mjs');
    const { report } = await import('./drill/report.mjs');
    return withFreshDatabase(async (databaseUrl) => report(await runDrill({ databaseUrl, receipts })));
  });
}

void main();

/**
 * `npm test`: installs, builds, and runs every test on a PostgreSQL that is started for the run and removed after it.
 * `npm test -- packages/queue-core` runs a part. DUEWORK_TEST_DATABASE_URL names another server to run on. The last line
 * is the result: `N passed, N failed`.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { formatTotals, runJest } = await import('./testing/run-jest.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    const result = await runJest(process.argv.slice(2));
    process.stdout.write(`${formatTotals(result)}\n`);
    return result.code;
  });
}

void main();

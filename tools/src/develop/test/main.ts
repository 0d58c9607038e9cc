/**
 * `npm test`: installs, builds, and runs every test on a PostgreSQL that is started for the run and removed after it.
 * `npm test -- packages/queue-core` runs a part; every option is jest's own, `--help` included. DUEWORK_TEST_DATABASE_URL
 * names another server to run on. The last line is the result: `N passed, N failed`.
 */
import { runMain } from '../../../bootstrap/run-main.mjs';
import { formatTotals, runJest } from './run-jest.js';

await runMain(async () => {
  const args = process.argv.slice(2);
  const result = await runJest(args);
  if (!args.includes('--help')) process.stdout.write(`${formatTotals(result)}\n`);
  return result.code;
});

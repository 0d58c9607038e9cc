/**
 * `npm test`: installs, builds, and runs every test on a PostgreSQL that is started for the run and removed after it.
 * `npm test -- packages/queue-core` runs a part; every option but three is jest's own, `--help` included.
 * DUEWORK_TEST_DATABASE_URL names another server to run on. The last line is the result: `N passed, N failed`.
 */
import { root } from '../../../bootstrap/paths.mjs';
import { runMain } from '../../../bootstrap/run-main.mjs';
import { chooseTests } from './changed/choose-tests.js';
import { describeChosen } from './changed/describe-chosen.js';
import { formatTotals, runJest } from './run-jest.js';

const HELP = `npm test -- --changed      what the changes of this branch can affect, the nearest first, in two minutes
npm test -- --changed=all  all that they can affect
npm test -- --short        all but the few that take minutes each, which .ci/nightly runs
npm test -- <path> …       a part, and every option of jest, below

`;
const SHORT = '--short';
const CHANGED = /^--changed(=all)?$/;

await runMain(async () => {
  const given = process.argv.slice(2);
  const args = given.filter((arg) => arg !== SHORT);
  const env = given.includes(SHORT) ? { DUEWORK_TESTS: 'short' } : {};
  if (args.includes('--help')) process.stdout.write(HELP);
  const isChanged = args.find((arg) => CHANGED.test(arg));
  if (isChanged === undefined) return run(args, env);
  const tests = chooseTests(root);
  const isAll = isChanged.endsWith('=all');
  process.stdout.write(describeChosen(tests, isAll));
  const paths = isAll ? tests.affected : tests.chosen;
  if (paths.length === 0) return 0;
  return run([...args.filter((arg) => !CHANGED.test(arg)), '--runTestsByPath', ...paths], env);
});

async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const result = await runJest(args, env);
  if (!args.includes('--help')) process.stdout.write(`${formatTotals(result)}\n`);
  return result.code;
}

/**
 * `npm run break -- guards`: takes each guard out of a copy of the product, one at a time, and runs the test that keeps it:
 * that test has to go red. What can go unseen is no guard.
 */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { pickGuards } from './guards.js';
import { listGuards, reportGuards } from './report.js';
import { tryGuards } from './try-guards.js';
import { withCopy } from './with-copy.js';

interface Options {
  readonly only?: readonly string[];
  readonly list?: boolean;
}

const program = createProgram(
  'break guards',
  `Copies the tree to a temporary folder, runs the named tests there once as they are, then takes one guard out after the
other and runs its test again, which has to fail by an assertion of its own. The tree itself is only built. It runs on a
PostgreSQL of its own and leaves nothing behind. Exit code 1: a guard can go and no test fails.`,
)
  .option('--only <names>', 'only these, or those whose names begin so: a,b', (given) => given.split(','))
  .option('--list', 'what there is, and where');

await runProgram(program, () => {
  const { only, list } = program.opts<Options>();
  const guards = pickGuards(only);
  if (list === true) return listGuards(guards);
  return withFreshDatabase(
    (databaseUrl) => withCopy(async (copy) => reportGuards(await tryGuards(guards, copy, databaseUrl))),
    { isMigrated: false },
  );
});

/** `npm run measure -- bulk`: how long 200,000 dead jobs take to be retried, and how much slower normal work beside it is. */
import { createProgram, namesAmong, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { measureBulk } from './measure-bulk.js';

const program = createProgram(
  'measure bulk',
  `Measures how long a bulk action takes to retry 200,000 dead jobs, alone and beside a worker that runs normal work and what
is retried; how long its undo takes; and how long normal jobs take from their enqueue to their end, in turns with it and without.
On a PostgreSQL of its own, with the settings of the tests; take ratios from it, not absolute values.`,
)
  .option('--dead <n>', 'so many dead jobs', wholeNumber(1, 10_000_000), 200_000)
  .option('--per-second <n>', 'so many normal jobs a second', wholeNumber(1, 100_000), 1_000)
  .option('--rounds <n>', 'so many turns beside normal work', wholeNumber(1, 100), 2)
  .option('--only <a,b>', 'these parts: alone, beside', namesAmong(['alone', 'beside']), ['alone', 'beside']);

await runProgram(program, () => withFreshDatabase((url) => measureBulk(url, program.opts())));

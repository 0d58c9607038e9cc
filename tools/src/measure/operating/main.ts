/** `npm run measure -- operating`: how soon pauses hold on every worker, and what the figures cost. */
import { createProgram, namesAmong, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { measureFigures } from './measure-figures.js';
import { measurePauses } from './measure-pauses.js';

const program = createProgram(
  'measure operating',
  `Measures how soon a pause of a queue and its resume are in force on every worker process, beside a steady load; and which
share of a core the figures take, in the server and in a worker. On a PostgreSQL of its own, with the settings of the tests.
Exit code 1: a pause or a resume took longer than 2 s, or the figures take more than 1 % of a core.`,
)
  .option('--workers <n>', 'so many worker processes', wholeNumber(1, 64), 4)
  .option('--rounds <n>', 'so many pauses', wholeNumber(1, 100), 5)
  .option('--only <a,b>', 'these parts: pauses, figures', namesAmong(['pauses', 'figures']), ['pauses', 'figures']);

await runProgram(program, async () => {
  const { only, ...options } = program.opts<{ workers: number; rounds: number; only: readonly string[] }>();
  const isSoon = !only.includes('pauses') || (await withFreshDatabase((url) => measurePauses(url, options)));
  const isCheap = !only.includes('figures') || (await withFreshDatabase(measureFigures));
  return isSoon && isCheap ? 0 : 1;
});

/** `npm run measure -- ticks`: the cost of an idle tick beside many schedules, and of many slots that are due at once. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { DUE, measureTicks, SCHEDULES } from './measure-ticks.js';

const program = createProgram(
  'measure ticks',
  `Measures how long an idle tick takes beside ${SCHEDULES} schedules, and how long ${DUE} slots that are due at once. On a
PostgreSQL of its own, with the settings of the tests; take ratios from it, not absolute values.`,
);

await runProgram(program, () => withFreshDatabase(measureTicks));

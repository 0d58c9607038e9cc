/** `npm run check -- model`: checks the lease protocol in every order of events, by the model in tools/model/lease.pml. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { type ModelCase, verifyModel } from './verify-model.js';

const CASES: readonly ModelCase[] = [
  { title: 'as it is: one owner at a time, one end, a fence that only grows', defines: [], isSafe: true },
  { title: 'as it is: every run ends, whatever happens', defines: [], isLiveness: true, isSafe: true },
  { title: 'a settlement without the fence', defines: ['NO_FENCE'], isSafe: false },
  { title: 'attempts for a fence', defines: ['ATTEMPTS_AS_FENCE'], isSafe: false },
  { title: 'a rescue that does not look again', defines: ['NO_RECHECK'], isSafe: false },
];

const program = createProgram(
  'check model',
  `Looks at every order in which two workers, a rescuer, an operator and time can act on one run: nothing the product
promises of a lease may break, and each known mistake has to break something.

Needs spin and a C compiler (apt-get install spin gcc), and is therefore no test of the suite.`,
);

await runProgram(program, () => {
  let wrong = 0;
  for (const expected of CASES) {
    const found = verifyModel(expected);
    const isRight = found.isSafe === expected.isSafe;
    if (!isRight) wrong++;
    const how = found.isSafe ? `holds in all ${found.states} states` : `breaks ${found.broken ?? 'a promise'}`;
    process.stdout.write(`${isRight ? 'ok   ' : 'WRONG'} ${expected.title}: ${how}\n`);
  }
  return wrong === 0 ? 0 : 1;
});

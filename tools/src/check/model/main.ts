/** `npm run check -- model`: checks leases and limits in every order of events, by the models in tools/model. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { type ModelCase, verifyModel } from './verify-model.js';

const LEASE: readonly Omit<ModelCase, 'model'>[] = [
  { title: 'as it is: one owner at a time, one end, a fence that only grows', defines: [], isSafe: true },
  { title: 'as it is: every run ends, whatever happens', defines: [], isLiveness: true, isSafe: true },
  { title: 'a settlement without the fence', defines: ['NO_FENCE'], isSafe: false },
  { title: 'attempts for a fence', defines: ['ATTEMPTS_AS_FENCE'], isSafe: false },
  { title: 'a rescue that does not look again', defines: ['NO_RECHECK'], isSafe: false },
];
const FLOW: readonly Omit<ModelCase, 'model'>[] = [
  { title: 'as it is: no more than the limit, and nobody is left waiting', defines: [], isSafe: true },
  { title: 'who lets in looks before it has the lock', defines: ['OLD_SNAPSHOT'], isSafe: false },
  { title: 'a look is taken before its decision commits', defines: ['LOOK_LOST'], isSafe: false },
  { title: 'a counter of holders', defines: ['COUNTER'], isSafe: false },
  { title: 'an enqueue that asks for a look only if it sees room', defines: ['LOOK_IF_FREE'], isSafe: false },
];
const CASES: readonly ModelCase[] = [
  ...LEASE.map((one) => ({ ...one, model: 'lease' as const })),
  ...FLOW.map((one) => ({ ...one, model: 'flow' as const })),
];

const program = createProgram(
  'check model',
  `Looks at every order in which workers, a rescuer, an operator and time can act on one run, and at every order in which
three runs can come, wait, run, fail, die and end at a limit of one: nothing that is promised of a lease or a limit may
break, and each known mistake has to break something.

Needs spin and a C compiler (apt-get install spin gcc), and is therefore no test of the suite.`,
);

await runProgram(program, () => {
  let wrong = 0;
  for (const expected of CASES) {
    const found = verifyModel(expected);
    const isRight = found.isSafe === expected.isSafe;
    if (!isRight) wrong++;
    const how = found.isSafe ? `holds in all ${found.states} states` : `breaks ${found.broken ?? 'a promise'}`;
    process.stdout.write(`${isRight ? 'ok   ' : 'WRONG'} ${expected.model}, ${expected.title}: ${how}\n`);
  }
  return wrong === 0 ? 0 : 1;
});

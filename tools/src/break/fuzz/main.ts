/** `npm run break -- fuzz`: hostile input, for longer than the tests try it. */
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { runRounds } from './run-rounds.js';

interface Options {
  readonly minutes: number;
  readonly seed?: number;
  readonly only?: string;
  readonly path?: string;
}

const program = createProgram(
  'break fuzz',
  `Tries hostile payloads, handlers, schedules, HTTP requests, bytes and command lines, in rounds of about a minute. Each round
has a seed of its own, counted up from the first. When a property breaks, its smallest counterexample is shown with the seed
and the command that shows it again; the exit code is then 1. Ctrl-C ends it, and everything it has started.`,
)
  .option('--minutes <n>', 'for how long, 1 to 600', wholeNumber(1, 600), 5)
  .option('--seed <n>', 'of the first round; a random one unless given, and shown', wholeNumber(1, 2_000_000_000))
  .option('--only <name>', 'this property only')
  .option('--path <path>', 'straight to one counterexample, with the path of its report; with --seed and --only');

await runProgram(program, () => {
  const { minutes, seed, only, path } = program.opts<Options>();
  if (path !== undefined && (seed === undefined || only === undefined))
    throw new Error('--path goes with --seed and --only, as the report says.');
  return runRounds({ minutes, seed: seed ?? Math.floor(Math.random() * 1e9), only, path });
});

/** `npm run break -- simulate`: the engine on a virtual clock, with faults at every await; thousands of worlds, each made from its seed. */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parsePlan, type Plan, simulate } from '@duework/testing/simulation';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { findMistake } from './find-mistake.js';
import { runSeeds } from './run-seeds.js';

/** Runs one world again and prints all its events. Returns the exit code. */
async function replay(text: string, plant: string | undefined): Promise<number> {
  const { violation, trace } = await simulate(read(text), { plant: findMistake(plant), isTraced: true });
  process.stdout.write(
    `${trace.join('\n')}\n${violation === null ? 'Every promise was kept.' : `Broken: ${violation.promise}\n        ${violation.facts}`}\n`,
  );
  return violation === null ? 0 : 1;
}

function read(text: string): Plan {
  try {
    return parsePlan(text);
  } catch (error) {
    throw new PlainError(`This plan cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const MAX_SEED = 2 ** 32 - 1;

interface Options {
  readonly seeds: number;
  readonly seed: number;
  readonly jobs: number;
  readonly plant?: string;
  readonly replay?: string;
}

const program = createProgram(
  'break simulate',
  `Runs the engine in small worlds on a virtual clock: two or three workers, some jobs, an operator and deploys; each call may
fail, be slow or lose its answer, each worker may die or be stopped at each of its awaits. What a world does follows from its
seed alone. The first promise that is broken is shrunk to the least that breaks it, and told with the command that shows it
again. Exit code 1: a promise was broken.`,
)
  .option('--seeds <n>', 'how many worlds', wholeNumber(1, MAX_SEED), 10_000)
  .option('--seed <n>', 'the seed of the first one; by chance unless given, and told', wholeNumber(0, MAX_SEED))
  .option('--jobs <n>', 'threads', wholeNumber(1, MAX_SEED), availableParallelism())
  .option('--plant <name>', 'with a mistake in the store, which has to be found; --plant ? tells which there are')
  .option('--replay <plan>', 'one world again, with everything that happens in it');

await runProgram(program, () => {
  const { seeds, seed, jobs, plant, replay: plan } = program.opts<Options>();
  if (plan !== undefined) return replay(plan, plant);
  return runSeeds({ seeds, firstSeed: seed ?? randomInt(MAX_SEED), jobs, plant });
});

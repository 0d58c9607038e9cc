import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

const MAX_SEED = 2 ** 32 - 1;

const help = `npm run simulate [-- --seeds 10000] [--seed 1] [--jobs 2] [--plant MISTAKE] [--replay 'PLAN']

Runs the engine in small worlds on a virtual clock: two or three workers, some jobs, an operator and deploys; each call may
fail, be slow or lose its answer, each worker may die or be stopped at each of its awaits. What a world does follows from its
seed alone. The first promise that is broken is shrunk to the least that breaks it, and told with the command that shows it
again. Exit code 1: a promise was broken.

  --seeds N      how many worlds; 10000 unless given
  --seed N       the seed of the first one; by chance unless given, and told
  --jobs N       threads; one for each processor unless given
  --plant NAME   with a mistake in the store, which has to be found; --plant ? tells which there are
  --replay PLAN  one world again, with everything that happens in it
  --help         this text
`;

/**
 * Reads the command line.
 *
 * @returns {{ ok: true, options: object, help: string } | { ok: false, line: string }} `line` says what is wrong
 */
export function readOptions(given) {
  try {
    const { values } = parseArgs({
      args: given,
      options: {
        seeds: { type: 'string', default: '10000' },
        seed: { type: 'string', default: String(randomInt(MAX_SEED)) },
        jobs: { type: 'string', default: String(availableParallelism()) },
        plant: { type: 'string' },
        replay: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const options = {
      seeds: readNumber('--seeds', values.seeds, 1),
      firstSeed: readNumber('--seed', values.seed, 0),
      jobs: readNumber('--jobs', values.jobs, 1),
      plant: values.plant,
      replay: values.replay,
      isHelpWanted: values.help,
    };
    return { ok: true, options, help };
  } catch (error) {
    return { ok: false, line: `${error.message.replace(/\.?( To specify[^]*)?$/, '.')} --help tells what there is.` };
  }
}

function readNumber(option, given, atLeast) {
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= atLeast && number <= MAX_SEED) return number;
  throw new Error(`${option} is a whole number from ${atLeast} to ${MAX_SEED}, not ${given}.`);
}

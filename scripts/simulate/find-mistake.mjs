import { join } from 'node:path';
import { PlainError } from '../lib/plain-error.mjs';
import { root } from '../lib/paths.mjs';

export const simulation = await import(join(root, 'packages/queue-core/dist/testing/simulation/index.js'));

/** The mistake of that name, to be planted; undefined: none is asked for. */
export function findMistake(name) {
  if (name === undefined || name in simulation.MISTAKES) return simulation.MISTAKES[name];
  throw new PlainError(
    `There is no mistake ${JSON.stringify(name)} to plant; there is ${Object.keys(simulation.MISTAKES).join(', ')}.`,
  );
}

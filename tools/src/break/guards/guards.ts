import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Guard } from './guard.js';
import { readGuards } from './read-guards.js';

const LISTS = join(root, 'tools/src/break/guards/list');

/** Every guard, of every list. */
export const guards: readonly Guard[] = readdirSync(LISTS)
  .toSorted()
  .flatMap((name) => readGuards(readFileSync(join(LISTS, name), 'utf8')));

/**
 * Those whose names begin with one of these; all of them when nothing is given.
 *
 * @throws PlainError of a name that none begins with
 */
export function pickGuards(names: readonly string[] | undefined): readonly Guard[] {
  if (names === undefined) return guards;
  for (const name of names)
    if (!guards.some((guard) => guard.name.startsWith(name)))
      throw new PlainError(`There is no guard ${name}. Known: ${guards.map((guard) => guard.name).join(', ')}`);
  return guards.filter((guard) => names.some((name) => guard.name.startsWith(name)));
}

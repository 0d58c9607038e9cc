import { PlainError } from '../lib/plain-error.mjs';
import { claimGuards } from './list/claim-guards.mjs';
import { databaseGuards } from './list/database-guards.mjs';
import { effectGuards } from './list/effect-guards.mjs';
import { engineGuards } from './list/engine-guards.mjs';
import { enqueueGuards } from './list/enqueue-guards.mjs';
import { fenceGuards } from './list/fence-guards.mjs';
import { rescueGuards } from './list/rescue-guards.mjs';
import { scheduleGuards } from './list/schedule-guards.mjs';

/**
 * What keeps a promise when two things happen at once, or one does not: how it is taken out, and the tests that then fail.
 *
 * @typedef {object} Guard
 * @property {string} name - for --only
 * @property {string} says - what it is
 * @property {{ file: string, find: string, replace: string }[]} edits - that take it out; `find` is in the file exactly once
 * @property {import('./test-names.mjs').NamedTest[]} tests - all of them go red
 * @property {RegExp} [error] - how they fail, where that is no expectation but a refusal of the database
 */

/** @type {readonly Guard[]} */
export const guards = [
  ...claimGuards,
  ...fenceGuards,
  ...rescueGuards,
  ...effectGuards,
  ...enqueueGuards,
  ...scheduleGuards,
  ...engineGuards,
  ...databaseGuards,
];

/** Those whose names begin with one of these; all of them when nothing is given. */
export function pickGuards(names) {
  if (names === undefined) return guards;
  for (const name of names)
    if (!guards.some((guard) => guard.name.startsWith(name)))
      throw new PlainError(`There is no guard ${name}. Known: ${guards.map((guard) => guard.name).join(', ')}`);
  return guards.filter((guard) => names.some((name) => guard.name.startsWith(name)));
}

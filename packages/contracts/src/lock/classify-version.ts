import { closeObjects } from '../compare/close-objects.js';
import { compareSchemas } from '../compare/compare-schemas.js';
import type { JsonSchema } from '../describe-schema.js';

/**
 * What a new version means to whoever does not look at versions: a service in another language, a hand-written query, a
 * team that rolls back. Stored payloads are compared: what the old version has stored, and what the new one will.
 *
 * - `safe`: each takes all that the other one stores.
 * - `workers_first`: new workers take old payloads, old workers do not take all new ones.
 * - `producers_first`: old workers take new payloads, new workers do not take all old ones as they are.
 * - `breaking`: neither, or that cannot be told.
 */
export type VersionClass = 'safe' | 'workers_first' | 'producers_first' | 'breaking';

export interface Classification {
  readonly class: VersionClass;
  /** Why new workers do not take old payloads as they are, and old ones not the new ones; at most one of each. */
  readonly reasons: readonly string[];
}

/** Compares a version with the one before it. */
export function classifyVersion(before: JsonSchema, after: JsonSchema): Classification {
  const oldFits = compareSchemas(closeObjects(before), after);
  const newFits = compareSchemas(closeObjects(after), before);
  const reasons = [
    ...(oldFits.answer === 'yes' ? [] : [`old payloads: ${oldFits.pointer || '/'} ${oldFits.why}`]),
    ...(newFits.answer === 'yes' ? [] : [`new payloads: ${newFits.pointer || '/'} ${newFits.why}`]),
  ];
  if (oldFits.answer === 'yes') return { class: newFits.answer === 'yes' ? 'safe' : 'workers_first', reasons };
  return { class: newFits.answer === 'yes' ? 'producers_first' : 'breaking', reasons };
}

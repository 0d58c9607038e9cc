import type { FilterError, FilterErrorCode } from './filter-error.js';
import type { Place } from './place.js';

/** Carries an error about a place up to the parser, which returns it: never leaves this package. */
export class Refusal extends Error {
  constructor(readonly error: FilterError) {
    super(error.message);
  }
}

/** Throws a `Refusal`. */
export function refuse(code: FilterErrorCode, place: Place, message: string, hint: string | null = null): never {
  throw new Refusal({ code, message, from: place.from, to: place.to, hint });
}

import type { Principal } from './principal.js';

/** What of a job or a schedule belongs to its payload: what went in, what came out, how far it is. */
const OF_PAYLOADS = new Set(['payload', 'result', 'progress']);

/** A job or a schedule as a principal may see it: without `payloads` the fields of its payload are not there. */
export function withhold<T extends object>({ scopes }: Principal, shown: T): Partial<T> {
  // guard: payloads-withheld
  if (!scopes.includes('payloads'))
    return Object.fromEntries(Object.entries(shown).filter(([field]) => !OF_PAYLOADS.has(field))) as Partial<T>;
  // guard end: payloads-withheld
  return shown;
}

import { ruleOfKey } from '@duework/operate';
import type { Principal } from '../principal.js';

/** What of a job or a schedule belongs to its payload: what went in, what came out, how far it is, and where it stands in line. */
const OF_PAYLOADS = new Set(['payload', 'result', 'progress', 'gates']);

/** What is left of a job or a schedule for those who may not read payloads, and for those who may. */
export type Shown<T> = Omit<T, 'payload' | 'result' | 'progress' | 'gates'> & {
  readonly payload?: unknown;
  readonly result?: unknown;
};

/** Whether a principal may see what is in payloads. */
export function maySeePayloads({ scopes }: Principal): boolean {
  return scopes.includes('payloads') || scopes.includes('sensitive');
}

/**
 * A job or a schedule as a principal may see it: without `payloads` or `sensitive` the fields of its payload are not there, and
 * of the key at which it waits only the rule is.
 */
export function withhold<T extends object>(principal: Principal, shown: T): Shown<T> {
  if (!maySeePayloads(principal))
    return Object.fromEntries(
      Object.entries(shown)
        .filter(([field]) => !OF_PAYLOADS.has(field))
        .map(([field, value]) => [field, field === 'heldBy' && value !== null ? ruleOfKey(value) : value]),
    ) as Shown<T>;
  return shown;
}

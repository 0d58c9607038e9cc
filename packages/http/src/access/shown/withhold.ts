import { ruleOfKey } from '@duework/operate';
import type { Principal } from '../principal.js';

/** What of a job or a schedule belongs to its payload: what went in, what came out, how far it is, and where it stands in line. */
const OF_PAYLOADS = new Set(['payload', 'result', 'progress', 'gates']);

/** What of a job or an attempt quotes its payload: a message of an error often has the address that was wrong, or the row. */
const OF_ERRORS = new Set(['lastError', 'errorMessage', 'errorStack', 'logs']);

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
 * A job, an attempt or a schedule as a principal may see it: without `payloads` or `sensitive` the fields of its payload are not
 * there, of an error its code and type are, but no text of it, and of the key at which it waits only the rule is.
 */
export function withhold<T extends object>(principal: Principal, shown: T): Shown<T> {
  if (!maySeePayloads(principal))
    return Object.fromEntries(
      Object.entries(shown)
        .filter(([field]) => !OF_PAYLOADS.has(field))
        .map(([field, value]) => [field, cut(field, value)]),
    ) as Shown<T>;
  return shown;
}

function cut(field: string, value: unknown): unknown {
  if (OF_ERRORS.has(field)) return null;
  return field === 'heldBy' && value !== null ? ruleOfKey(value as string) : value;
}

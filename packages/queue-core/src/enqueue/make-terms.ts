import type { JobContract } from '@duework/contracts';
import type { NewTerms } from '../ports/producer.js';
import type { RunTerms } from '../ports/runs.js';

/** What is agreed for a run of a contract, or for one whose enqueue has given another expiry; null: nothing. */
export function makeTerms(
  { expiresAfterMs: ofContract, onExpired, onDead, retryForMs, maxWaitMs: ofQueue, flow }: JobContract,
  expiresAfterMs = ofContract,
): NewTerms | null {
  // in a queue the contract is asked
  const maxWaitMs = flow === null ? null : ofQueue;
  const terms = {
    ...(expiresAfterMs === null ? {} : { expiresAfterMs }),
    ...(expiresAfterMs === null || onExpired === null ? {} : { onExpired }),
    ...(onDead === null ? {} : { onDead }),
    ...(retryForMs === null ? {} : { retryForMs }),
    ...(maxWaitMs === null ? {} : { maxWaitMs }),
  };
  return Object.keys(terms).length === 0 ? null : terms;
}

/** What was agreed for a run, counted from the moment at which it is due. */
export function toTerms(given: NewTerms | null, runAtMs: number): RunTerms | null {
  if (given === null) return null;
  const { expiresAfterMs, retryForMs, ...same } = given;
  const after = (ms: number): string => new Date(runAtMs + ms).toISOString();
  return {
    ...same,
    ...(expiresAfterMs === undefined ? {} : { expiresAt: after(expiresAfterMs) }),
    ...(retryForMs === undefined ? {} : { retryUntil: after(retryForMs) }),
  };
}

/** The way back; what has started does not expire. */
export function fromTerms(terms: RunTerms, runAtMs: number, hasStarted: boolean): NewTerms {
  const { expiresAt, retryUntil, onExpired, onDead } = terms;
  const msFromDue = (text: string): number => Date.parse(text) - runAtMs;
  return {
    ...(expiresAt === undefined || hasStarted ? {} : { expiresAfterMs: msFromDue(expiresAt) }),
    ...(retryUntil === undefined ? {} : { retryForMs: msFromDue(retryUntil) }),
    ...(onExpired === undefined ? {} : { onExpired }),
    ...(onDead === undefined ? {} : { onDead }),
  };
}

import type { JobContract } from '@duework/contracts';
import type { NewTerms } from '../ports/producer.js';

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

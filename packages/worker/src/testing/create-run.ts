import type { ClaimedRun } from '@duework/queue-core';

/** A claimed run, for making events. */
export function createRun(run: Partial<ClaimedRun> = {}): ClaimedRun {
  return {
    id: '7',
    type: 'send_invoice',
    version: 1,
    queue: 'default',
    priority: 3,
    payload: { orderId: 812 },
    meta: null,
    gates: null,
    terms: null,
    idempotencyKey: 'invoice:812',
    attempt: 1,
    maxAttempts: 10,
    fence: 1,
    waitedMs: 1_500,
    runAtMs: 0,
    createdAtMs: 0,
    ...run,
  };
}

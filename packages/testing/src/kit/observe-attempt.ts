import type { Json } from '@duework/queue-core';
import type { Settlement, Store } from '@duework/queue-core/ports';
import type { PerformedJob } from './performed-job.js';

/**
 * A store that gives out its only run once, as the attempt that is asked for, and tells how that ended. What is settled
 * is the engine's own decision.
 */
export function observeAttempt(
  store: Store,
  id: string,
  attempt: number,
): { readonly store: Store; readonly ended: Promise<PerformedJob> } {
  let tell = (_: PerformedJob): void => {};
  let completedIn: Json = null;
  let isTaken = false;
  return {
    ended: new Promise((resolve) => (tell = resolve)),
    store: {
      ...store,
      async claim(request) {
        if (isTaken) return { runs: [], dueInMs: null };
        const claim = await store.claim(request);
        isTaken = claim.runs.length > 0;
        return { ...claim, runs: claim.runs.map((run) => ({ ...run, attempt })) };
      },
      async completeIn(tx, completion) {
        completedIn = completion.result;
        return store.completeIn(tx, completion);
      },
      async settle(batch) {
        const statuses = await store.settle(batch);
        for (const settlement of batch) if (settlement.id === id) tell(toPerformed(settlement, completedIn));
        return statuses;
      },
    },
  };
}

function toPerformed(settlement: Settlement, completedIn: Json): PerformedJob {
  switch (settlement.kind) {
    case 'complete':
      return { outcome: 'complete', result: completedIn ?? settlement.result };
    case 'fail':
      return { outcome: 'retry', error: settlement.error, delayMs: settlement.delayMs };
    case 'snooze':
      return { outcome: 'snooze', delayMs: settlement.delayMs };
    case 'bury':
      return { outcome: 'bury', error: settlement.error };
    case 'leave':
      throw new Error(settlement.error.message);
    case 'release':
    case 'confirm_cancel':
      throw new Error(`Nobody stops or cancels this attempt, and yet it ended with ${settlement.kind}.`);
  }
}

import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/**
 * Between its last look at a lease and the call of the handler a process may be frozen; nothing can prevent what it does
 * then, and the torture freezes at any moment. So a begin of a worker that was frozen less than this before it is told
 * and not judged; a worker that does not look begins later, when a slot gets free, or many at once.
 */
const JUST_RESUMED_MS = 2;

/** No handler begins for a run that a later claim has begun: its worker has lost it, and can know it. */
export const beginsInOrder: Check = {
  promise: 'no handler begins for a run that another worker has taken over and begun',
  needs: 'any run',
  check({ events }) {
    const broken: string[] = [];
    const begins = ofKind(events, 'handler.started').toSorted((a, b) => a.at - b.at);
    const resumed = ofKind(events, 'fault.ended').map(({ at }) => at);
    let unjudged = 0;
    for (const [run, ofRun] of groupBy(begins, (begin) => begin.run)) {
      let highest = 0;
      for (const { fence, at, by } of ofRun) {
        if (fence < highest) {
          if (resumed.some((ms) => at >= ms && at - ms < JUST_RESUMED_MS)) unjudged++;
          else broken.push(`${by} began run ${run} under claim ${fence} after claim ${highest} had begun it`);
        }
        highest = Math.max(highest, fence);
      }
    }
    return { counted: begins.length, broken, ...(unjudged > 0 && { remark: `${unjudged} in the moment of a resume` }) };
  },
};

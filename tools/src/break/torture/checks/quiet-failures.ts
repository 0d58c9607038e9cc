import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** The limit is 1,000 ms on the worker's clock; a line may be written a moment later or earlier. */
const LEAST_MS = 990;

/** Each worker reports a cause that goes on failing at most once a second. */
export const quietFailures: Check = {
  promise: 'a failing cause logs at most one line a second',
  // under these faults statements certainly fail for longer than that
  needs: ['restart-database', 'fill-disk', 'lock-tables'],
  check({ events }) {
    const failures = ofKind(events, 'database.failed');
    const broken: string[] = [];
    for (const [cause, list] of groupBy(failures, ({ by, during }) => `${by}, ${during}`)) {
      let lastAt = -Infinity;
      for (const { at } of list) {
        if (at - lastAt < LEAST_MS) broken.push(`${cause}: twice within ${Math.round(at - lastAt)} ms`);
        lastAt = at;
      }
    }
    return { counted: failures.length, broken };
  },
};

import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** The limit is 1,000 ms on the worker's clock; what was written down is a moment later or earlier. */
const LEAST_MS = 990;

/** A cause that goes on failing is told once a second at the most, by each worker. */
export const quietFailures: Check = {
  promise: 'a failing cause logs at most one line a second',
  // of these it is certain that statements fail for longer than that
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

import { groupBy } from './group-by.mjs';

/** The limit is 1,000 ms on the worker's clock; what was written down is a moment later or earlier. */
const LEAST_MS = 990;

/** A cause that goes on failing is told once a second at the most, by each worker. */
export const quietFailures = {
  promise: 'a failing cause logs at most one line a second',
  check({ events }) {
    const failures = events.filter(({ kind }) => kind === 'database.failed');
    const broken = [];
    for (const [cause, list] of groupBy(failures, ({ by, during }) => `${by}, ${during}`)) {
      for (const [index, { at }] of list.entries()) {
        if (index > 0 && at - list[index - 1].at < LEAST_MS)
          broken.push(`${cause}: twice within ${Math.round(at - list[index - 1].at)} ms`);
      }
    }
    return { counted: failures.length, broken };
  },
};

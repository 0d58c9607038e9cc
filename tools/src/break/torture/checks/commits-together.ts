import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** The caller's row and its job commit together or not at all, whatever answer the caller got. */
export const commitsTogether: Check = {
  promise: "a caller's transaction and its job commit together or not at all",
  needs: 'any run',
  check({ events, jobs, orders }) {
    const payments = groupBy(
      jobs.filter(({ type }) => type === 'payment'),
      ({ n }) => n,
    );
    const ordered = new Set(orders.map(({ n }) => n));
    const broken: string[] = [];
    for (const [n, runs] of payments) {
      if (n === null || !ordered.has(n)) broken.push(`job of order ${n} without its order`);
      if (runs.length > 1) broken.push(`order ${n} has ${runs.length} jobs`);
    }
    for (const { kind, n, way } of ofKind(events, 'enqueue.answered', 'enqueue.rolled_back')) {
      if (way !== 'transaction') continue;
      if (kind === 'enqueue.answered' && !ordered.has(n)) broken.push(`order ${n} was acknowledged and is gone`);
      if (kind === 'enqueue.rolled_back' && (ordered.has(n) || payments.has(n)))
        broken.push(`order ${n} was rolled back and is there`);
    }
    // a committed row has its job; checked only where all runs are known
    const called = new Set(
      ofKind(events, 'enqueue.called')
        .filter(({ way }) => way === 'transaction')
        .map(({ n }) => n),
    );
    for (const n of ordered) if (called.has(n) && !payments.has(n)) broken.push(`order ${n} without its job`);
    return { counted: called.size, broken };
  },
};

import { groupBy } from './group-by.mjs';

/** The caller's row and its job commit together or not at all, whatever he was told. */
export const commitsTogether = {
  promise: "a caller's transaction and its job commit together or not at all",
  check({ events, jobs, orders }) {
    const payments = groupBy(
      jobs.filter(({ type }) => type === 'payment'),
      ({ n }) => n,
    );
    const ordered = new Set(orders.map(({ n }) => n));
    const broken = [];
    for (const [n, runs] of payments) {
      if (!ordered.has(n)) broken.push(`job of order ${n} without its order`);
      if (runs.length > 1) broken.push(`order ${n} has ${runs.length} jobs`);
    }
    const calls = events.filter(({ kind, way }) => way === 'transaction' && kind !== 'enqueue.called');
    for (const { kind, n } of calls) {
      if (kind === 'enqueue.answered' && !ordered.has(n)) broken.push(`order ${n} was acknowledged and is gone`);
      if (kind === 'enqueue.rolled_back' && (ordered.has(n) || payments.has(n)))
        broken.push(`order ${n} was rolled back and is there`);
    }
    // whoever committed, committed both; only looked at where all runs are
    const called = new Set(
      events.filter(({ kind, way }) => kind === 'enqueue.called' && way === 'transaction').map(({ n }) => n),
    );
    for (const n of ordered) if (called.has(n) && !payments.has(n)) broken.push(`order ${n} without its job`);
    return { counted: called.size, broken };
  },
};

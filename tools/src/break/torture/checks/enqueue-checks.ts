import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** Every acknowledged job exists under the id in the answer. */
export const nothingLost: Check = {
  promise: 'nothing acknowledged is lost',
  check({ events, jobs }) {
    const known = new Map(jobs.map((job) => [job.run, job]));
    const answered = ofKind(events, 'enqueue.answered');
    const broken = answered
      .filter(({ run, n }) => known.get(run)?.n !== n)
      .map(
        ({ run, n, way }) =>
          `run ${run} (${way}, call ${n}) was acknowledged and ${known.has(run) ? 'is another' : 'is gone'}`,
      );
    return { counted: answered.length, broken };
  },
};

/** A call whose answer was lost, made again with the same key until it was answered, made one run. */
export const oneRunPerKey: Check = {
  promise: 'a retry with the same key makes one run; a lost answer is unknown, not failed',
  check({ events, jobs }) {
    const keyed = groupBy(
      jobs.filter(({ key }) => key !== null),
      ({ type, key }) => `${type} ${key}`,
    );
    const broken = [...keyed]
      .filter(([, runs]) => runs.length > 1)
      .map(([key, runs]) => `${key} has ${runs.length} runs`);
    const answers = ofKind(events, 'enqueue.answered').filter(({ way }) => way !== 'shared');
    for (const [call, list] of groupBy(answers, ({ by, n }) => `${by} ${n}`)) {
      if (new Set(list.map(({ run }) => run)).size > 1) broken.push(`call ${call} was told of several runs`);
    }
    return {
      counted: keyed.size,
      broken,
      remark: `${ofKind(events, 'enqueue.unknown').length} answers were lost`,
    };
  },
};

/** A call without a key made one run if it was answered, and at most one if its answer was lost. */
export const oneRunPerCall: Check = {
  promise: 'a call without a key makes one run, or none that anybody was told of',
  check({ events, jobs }) {
    const shared = ofKind(events, 'enqueue.called').filter(({ way }) => way === 'shared');
    const calls = new Set<number | null>(shared.map(({ n }) => n));
    const runs = groupBy(
      jobs.filter(({ n }) => calls.has(n)),
      ({ n }) => n,
    );
    const broken = [...runs]
      .filter(([, made]) => made.length > 1)
      .map(([n, made]) => `call ${n} made ${made.length} runs`);
    return { counted: calls.size, broken };
  },
};

/** The caller's row and its job commit together or not at all, whatever answer the caller got. */
export const commitsTogether: Check = {
  promise: "a caller's transaction and its job commit together or not at all",
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

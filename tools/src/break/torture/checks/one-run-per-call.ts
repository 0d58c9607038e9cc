import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** A call without a key made one run if it was answered, and at most one if its answer was lost. */
export const oneRunPerCall: Check = {
  promise: 'a call without a key makes one run, or none that anybody was told of',
  needs: 'any run',
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

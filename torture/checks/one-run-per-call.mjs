import { groupBy } from './group-by.mjs';

/** A call without a key made one run if it was answered, and at most one if nobody knows. */
export const oneRunPerCall = {
  promise: 'a call without a key makes one run, or none that anybody was told of',
  check({ events, jobs }) {
    const calls = new Map(
      events.filter(({ kind, way }) => kind === 'enqueue.called' && way === 'shared').map((event) => [event.n, event]),
    );
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

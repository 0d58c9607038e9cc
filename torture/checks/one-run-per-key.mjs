import { groupBy } from './group-by.mjs';

/** A call whose answer was lost, made again with the same key until it was answered, made one run. */
export const oneRunPerKey = {
  promise: 'a retry with the same key makes one run; a lost answer is unknown, not failed',
  check({ events, jobs }) {
    const keyed = groupBy(
      jobs.filter(({ key }) => key !== null),
      ({ type, key }) => `${type} ${key}`,
    );
    const broken = [...keyed]
      .filter(([, runs]) => runs.length > 1)
      .map(([key, runs]) => `${key} has ${runs.length} runs`);
    for (const [call, answers] of groupBy(
      events.filter(({ kind, way }) => kind === 'enqueue.answered' && way !== 'shared'),
      ({ by, n }) => `${by} ${n}`,
    )) {
      if (new Set(answers.map(({ run }) => run)).size > 1) broken.push(`call ${call} was told of several runs`);
    }
    return {
      counted: keyed.size,
      broken,
      remark: `${events.filter(({ kind }) => kind === 'enqueue.unknown').length} answers were lost`,
    };
  },
};

import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** A call whose answer was lost, made again with the same key until it was answered, made one run. */
export const oneRunPerKey: Check = {
  promise: 'a retry with the same key makes one run; a lost answer is unknown, not failed',
  needs: 'any run',
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

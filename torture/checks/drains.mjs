import { DRAIN_LIMIT_MS } from '../limits.mjs';
import { groupBy } from './group-by.mjs';

/** After the faults everything comes to an end. */
export const drains = {
  promise: 'after the faults the queue drains to empty within 60 s',
  check({ drained, jobs }) {
    const broken = drained.live > 0 ? [`${drained.live} runs are live after ${DRAIN_LIMIT_MS / 1_000} s`] : [];
    const ends = [...groupBy(jobs, ({ status }) => status)]
      .map(([status, list]) => `${list.length} ${status}`)
      .join(', ');
    return {
      counted: jobs.length,
      broken,
      remark: `${(drained.tookMs / 1_000).toFixed(1)} s; ${ends}; asked about ${drained.unknown.happened + drained.unknown.repeated} mails, ${drained.unknown.happened} had left`,
    };
  },
};

import { DRAIN_LIMIT_MS } from '../limits.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** After the faults every run ends. */
export const drains: Check = {
  promise: 'after the faults the queue drains to empty within 60 s',
  needs: 'any run',
  check({ drained: { live, tookMs, left, unknown }, jobs }) {
    const broken = live > 0 ? [`${live} runs and batches are live after ${DRAIN_LIMIT_MS / 1_000} s`, ...left] : [];
    const ends = [...groupBy(jobs, ({ status }) => status)]
      .map(([status, list]) => `${list.length} ${status}`)
      .join(', ');
    const asked = `asked about ${unknown.happened + unknown.repeated} mails, ${unknown.happened} had left`;
    return { counted: jobs.length, broken, remark: `${(tookMs / 1_000).toFixed(1)} s; ${ends}; ${asked}` };
  },
};

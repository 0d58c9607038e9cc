import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';

/** Every acknowledged job exists under the id in the answer. */
export const nothingLost: Check = {
  promise: 'nothing acknowledged is lost',
  needs: 'any run',
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

import type { Measure } from './measure.js';
import { measureCosts } from './measure-drain.js';

const CONCURRENCY = 100;
const LIMIT = 20_000;

export const wait: Measure = {
  name: 'wait',
  figures: [
    {
      key: 'jobsPerSecond',
      title: '20,000 jobs of 5 ms, 100 at once',
      unit: 'jobs/s',
      targets: [{ atLeast: 0.9 * LIMIT }],
    },
  ],
  run: async ({ size, ...turn }) => ({
    ...(await measureCosts({ ...turn, jobs: size.waitJobs, job: 'wait', concurrency: CONCURRENCY })),
  }),
};

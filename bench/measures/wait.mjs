import { drain } from './measure-drain.mjs';

const CONCURRENCY = 100;
const LIMIT = 20_000;

export const wait = {
  name: 'wait',
  figures: [
    {
      key: 'jobsPerSecond',
      title: '20,000 jobs of 5 ms, 100 at once',
      unit: 'jobs/s',
      targets: [{ atLeast: 0.9 * LIMIT }],
    },
  ],
  // one at a time, by default
  takes: ({ isVariant }) => !isVariant,
  run: ({ system, lab, place, size, name }) =>
    drain({ system, lab, place, name, jobs: size.waitJobs, job: 'wait', concurrency: CONCURRENCY }),
};

import { measureCosts } from './measure-drain.js';
import type { Measure, Turn } from './measure.js';

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

const draining =
  (count: number): Measure['run'] =>
  async ({ size, ...turn }: Turn) => ({
    ...(await measureCosts({ ...turn, jobs: size.drainJobs, count })),
  });

export const drainOne: Measure = {
  name: 'drain',
  figures: [
    {
      key: 'jobsPerSecond',
      title: 'Drain 100,000 no-op jobs, one worker',
      unit: 'jobs/s',
      targets: [
        { times: 1.7, of: 'graphile' },
        { times: 2.5, of: 'pg-boss' },
        { times: 0.75, of: 'floor' },
      ],
    },
    {
      key: 'serverMicros',
      title: '  CPU of the server per job',
      unit: 'µs',
      isLessBetter: true,
      targets: [{ atMost: 18 }],
    },
    {
      key: 'workerMicros',
      title: '  CPU of the worker per job',
      unit: 'µs',
      isLessBetter: true,
      targets: [{ atMost: 9 }],
    },
    { key: 'walBytes', title: '  write-ahead log per job', unit: 'bytes', isLessBetter: true },
    { key: 'deadTuples', title: '  dead tuples per job', unit: '', isLessBetter: true },
  ],
  run: draining(1),
};

export const drainTwo: Measure = {
  name: 'drain-2',
  figures: [
    {
      key: 'jobsPerSecond',
      title: 'The same, two workers',
      unit: 'jobs/s',
      targets: [
        { times: 1.4, of: 'graphile' },
        { times: 1, of: 'own', in: 'drain', called: 'one worker' },
      ],
    },
  ],
  run: draining(2),
};

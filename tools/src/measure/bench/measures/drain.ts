import type { SystemName } from '../systems/system.js';
import { measureCosts } from './measure-drain.js';
import type { Measure } from './measure.js';

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
  run: async ({ size, ...turn }) => ({ ...(await measureCosts({ ...turn, jobs: size.drainJobs })) }),
};

const WHOLE: readonly SystemName[] = ['duework', 'duework-pg', 'graphile', 'pg-boss'];

/** A backlog from the moment that the workers start to the last settlement: what compiles and connects is in it. */
const wholeDrain = (name: string, count: number, jobs: 'some' | 'many', title: string): Measure => ({
  name,
  group: 'whole',
  ...(count > 1 ? { isLong: true } : {}),
  takes: (system) => WHOLE.includes(system.name),
  figures: [
    { key: 'jobsPerSecond', title, unit: 'jobs/s', targets: [{ times: 1.2, of: 'graphile' }] },
    {
      key: 'serverMicros',
      title: '  CPU of the server per job',
      unit: 'µs',
      isLessBetter: true,
      targets: [{ times: 0.85, of: 'graphile' }],
    },
    { key: 'workerMicros', title: '  CPU of the workers per job', unit: 'µs', isLessBetter: true },
  ],
  run: async ({ size, ...turn }) => ({ ...(await measureCosts({ ...turn, jobs: size.wholeJobs[jobs], count })) }),
});

/** What users have, where the steady state leaves out the beginning and the end. */
export const whole: readonly Measure[] = [
  wholeDrain('whole-1', 1, 'some', 'Drain 300,000 from start to end, one worker process'),
  wholeDrain('whole-8', 8, 'some', '  the same, eight worker processes'),
  wholeDrain('whole-8-million', 8, 'many', '  a million, eight worker processes'),
];

import { drain } from './measure-drain.mjs';

const draining =
  (count) =>
  ({ system, lab, place, name, size }) =>
    drain({ system, lab, place, name, jobs: size.drainJobs[system.name] ?? size.drainJobs.all, count });

export const drainOne = {
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

export const drainTwo = {
  name: 'drain-2',
  figures: [
    {
      key: 'jobsPerSecond',
      title: 'The same, two workers',
      unit: 'jobs/s',
      targets: [
        { times: 1.4, of: 'graphile' },
        { times: 1, of: 'duework', in: 'drain', called: 'one worker' },
      ],
    },
  ],
  run: draining(2),
};

import { drain } from './measure-drain.mjs';

/** What a job costs Duework, and how that grows with one thing while the others are as in `usual`. */
const usual = { waiting: 'many', future: 'none', finished: 'none', workers: 1 };
const CASES = [
  { title: '100,000 waiting, nothing else, one worker' },
  { title: '10,000 waiting', waiting: 'few' },
  { title: '1,000,000 waiting', waiting: 'most' },
  { title: '1,000,000 future rows', future: 'manyRows' },
  { title: '1,000,000 finished rows', finished: 'manyRows' },
  { title: '5,000,000 finished rows', finished: 'mostRows' },
  { title: '2 workers', workers: 2 },
  { title: '4 workers', workers: 4 },
  { title: '8 workers', workers: 8 },
];

export const growth = CASES.map(({ title, ...different }, index) => {
  const { waiting, future, finished, workers } = { ...usual, ...different };
  const hasRows = future !== 'none' || finished !== 'none';
  return {
    name: `growth-${index + 1}`,
    group: 'growth',
    isExtra: true,
    figures: [
      { key: 'jobsPerSecond', title: `Drain: ${title}`, unit: 'jobs/s' },
      { key: 'serverMicros', title: '  CPU of the server per job', unit: 'µs', isLessBetter: true },
      { key: 'workerMicros', title: '  CPU of the workers per job', unit: 'µs', isLessBetter: true },
      { key: 'walBytes', title: '  write-ahead log per job', unit: 'bytes', isLessBetter: true },
      { key: 'deadTuples', title: '  dead tuples per job', unit: '', isLessBetter: true },
    ],
    takes: ({ name }) => name === 'duework',
    ...(hasRows
      ? {
          prepare: ({ adapter, url, size }) =>
            adapter.fill(url, { future: size.growth[future], finished: size.growth[finished] }),
        }
      : {}),
    run: ({ system, lab, place, size, name }) =>
      drain({ system, lab, place, name, jobs: size.growth[waiting], count: workers }),
  };
});

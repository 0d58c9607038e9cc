import type { Size } from '../sizes.js';
import type { Measure } from './measure.js';
import { measureCosts } from './measure-drain.js';

type Step = keyof Size['growth'];

interface Case {
  readonly waiting: Step;
  readonly future: Step;
  readonly finished: Step;
  readonly workers: number;
}

/** What a job costs Duework, and how the cost grows with one quantity while the others are as here. */
const USUAL: Case = { waiting: 'many', future: 'none', finished: 'none', workers: 1 };
const CASES: readonly (Partial<Case> & { readonly title: string })[] = [
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

export const growth: readonly Measure[] = CASES.map(({ title, ...different }, index) => {
  const { waiting, future, finished, workers } = { ...USUAL, ...different };
  const prepare: Measure['prepare'] = ({ adapter, url, size }) =>
    adapter.fill(url, { future: size.growth[future], finished: size.growth[finished] });
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
    takes: ({ isOwn }) => isOwn === true,
    ...(future === 'none' && finished === 'none' ? {} : { prepare }),
    run: async ({ size, ...turn }) => ({
      ...(await measureCosts({ ...turn, jobs: size.growth[waiting], count: workers })),
    }),
  };
});

import type { SystemName } from '../systems/system.js';
import type { Measure } from './measure.js';
import { measureSteady } from './measure-steady.js';

const COUNTS = [1, 2, 4, 8, 16];
/** A quick run has no time for more. */
const QUICK_MAX = 2;
const SYSTEMS: readonly SystemName[] = ['duework', 'duework-pg', 'graphile', 'pg-boss'];

/** Worker processes in the steady state, and what a job costs the server and the workers then. */
export const workers: readonly Measure[] = COUNTS.map((count) => ({
  name: `workers-${count}`,
  group: 'workers',
  ...(count > QUICK_MAX ? { isLong: true } : {}),
  maxRounds: 2,
  figures: [
    {
      key: 'jobsPerSecond',
      title: `Drain in the steady state, ${count} worker process${count === 1 ? '' : 'es'}`,
      unit: 'jobs/s',
    },
    { key: 'serverMicros', title: '  CPU of the server per job', unit: 'µs', isLessBetter: true },
    { key: 'workerMicros', title: '  CPU of the workers per job', unit: 'µs', isLessBetter: true },
  ],
  takes: ({ name }) => SYSTEMS.includes(name),
  async run({ size: { steady }, ...turn }) {
    const jobs = steady.jobs[turn.system.name] ?? steady.jobs.all;
    return { ...(await measureSteady({ ...turn, ...steady, jobs, count })) };
  },
}));

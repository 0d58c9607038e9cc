import { withLimit } from '../../../kit/with-limit.js';
import { readTreeCpuMicros } from '../gauges/read-cpu.js';
import { openWorkers, type Workers } from '../processes/open-workers.js';
import type { SystemName } from '../systems/system.js';
import { enqueueBacklog } from './enqueue-backlog.js';
import type { Measure, Turn } from './measure.js';

type SteadyTurn = Pick<Turn, 'system' | 'lab' | 'place' | 'name'> & {
  readonly jobs: number;
  /** The clock starts when so many jobs are done: everything is compiled, planned and connected by then. */
  readonly warmUp: number;
  /** The clock stops while so many are left, so that no worker runs out of jobs. */
  readonly left: number;
  readonly count: number;
};

interface Steady {
  readonly jobsPerSecond: number;
  /** Per job, of all processes of the server; null where it cannot be measured. */
  readonly serverMicros: number | null;
  readonly workerMicros: number;
}

interface Moment {
  readonly atMs: number;
  readonly done: number;
  readonly serverMicros: number | null;
  readonly workerMicros: number;
}

const LIMIT_MS = 300_000;

/** Drains a part of a backlog, without its beginning and its end. */
async function measureSteady(turn: SteadyTurn): Promise<Steady> {
  const { system, lab, place, jobs, warmUp, left, count, name } = turn;
  await enqueueBacklog({ system, place, jobs });
  await lab.settle(place);
  const counter = new DoneCounter();
  const workers = await openWorkers({
    system,
    url: place.url,
    count,
    job: 'nothing',
    name,
    onDone: (total) => counter.note(total),
  });
  const serverPid = place.serverPid ?? lab.postgres.pid;
  const at = async (total: number): Promise<Moment> => {
    await withLimit(Promise.race([counter.until(total), workers.failed]), LIMIT_MS, `${name}: not ${total} jobs`);
    return readMoment(workers, serverPid);
  };
  try {
    workers.start();
    const first = await at(warmUp);
    const last = await at(jobs - left);
    const done = last.done - first.done;
    return {
      jobsPerSecond: (done * 1_000) / (last.atMs - first.atMs),
      serverMicros:
        first.serverMicros === null || last.serverMicros === null
          ? null
          : (last.serverMicros - first.serverMicros) / done,
      workerMicros: (last.workerMicros - first.workerMicros) / done,
    };
  } finally {
    await workers.stop();
  }
}

async function readMoment(workers: Workers, serverPid: number): Promise<Moment> {
  const moment = { atMs: performance.now(), done: workers.total(), serverMicros: readTreeCpuMicros(serverPid) };
  const reads = await workers.read();
  return { ...moment, workerMicros: reads.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) };
}

/** Says when so many jobs are done. */
class DoneCounter {
  #total = 0;
  #changed = (): void => {};

  note(total: number): void {
    this.#total = total;
    this.#changed();
  }

  async until(total: number): Promise<void> {
    while (this.#total < total) await new Promise<void>((resolve) => (this.#changed = resolve));
  }
}

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

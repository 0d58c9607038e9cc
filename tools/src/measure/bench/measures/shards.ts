import { connectPg } from '@duework/database';
import { foundShard } from '@duework/shards';
import { readTreeCpuMicros } from '../gauges/read-cpu.js';
import { openWorkers } from '../processes/open-workers.js';
import type { SystemName } from '../systems/system.js';
import type { Place } from '../servers/make-place.js';
import { startReplicatedPlace } from '../servers/start-replicated-place.js';
import { enqueueBacklog } from './enqueue-backlog.js';
import type { Measure, Turn } from './measure.js';

const SYSTEMS: readonly SystemName[] = ['duework', 'duework-pg'];

/**
 * The same jobs in one database with two workers, in two databases of the same server with one each, and in one that two
 * standbys follow. All servers share the cores of this machine.
 */
export const shards: Measure = {
  name: 'shards',
  isLong: true,
  figures: [
    { key: 'one', title: 'Drain 100,000 no-op jobs, one database, two workers', unit: 'jobs/s' },
    { key: 'two', title: '  two shards on the same cores, a worker each', unit: 'jobs/s' },
    { key: 'oneMicros', title: '  CPU of the server per job, one database', unit: 'µs', isLessBetter: true },
    { key: 'twoMicros', title: '  … two shards', unit: 'µs', isLessBetter: true },
    {
      key: 'times',
      title: '  that against one database',
      unit: '×',
      isLessBetter: true,
      targets: [{ atMost: 1.03 }],
    },
    { key: 'three', title: '  one database on three servers, commits by quorum, two workers', unit: 'jobs/s' },
    { key: 'threeMicros', title: '  … CPU of its primary per job', unit: 'µs', isLessBetter: true },
    { key: 'standbyMicros', title: '  … CPU of both standbys per job', unit: 'µs', isLessBetter: true },
  ],
  takes: ({ name }) => SYSTEMS.includes(name),
  async run(turn) {
    const jobs = turn.size.drainJobs.all;
    const { pid } = turn.lab.postgres;
    const one = await drain(turn, [{ place: turn.place, jobs, count: 2 }], [pid]);
    const two = await drainTwo(turn, jobs);
    const replicated = await startReplicatedPlace();
    try {
      const three = await drain(turn, [{ place: replicated, jobs, count: 2 }], replicated.pids);
      const [oneMicros, twoMicros] = [one.micros[0] ?? null, two.micros[0] ?? null];
      return {
        one: one.jobsPerSecond,
        two: two.jobsPerSecond,
        oneMicros,
        twoMicros,
        times: oneMicros === null || twoMicros === null ? null : twoMicros / oneMicros,
        three: three.jobsPerSecond,
        threeMicros: three.micros[0] ?? null,
        standbyMicros: add(three.micros.slice(1)),
      };
    } finally {
      await replicated.drop();
    }
  },
};

async function drainTwo(turn: Turn, jobs: number): Promise<Drained> {
  const [a, b] = [await turn.openEmpty(), await turn.openEmpty()];
  try {
    await found(a, 'a');
    await found(b, 'b');
    const parts = [a, b].map((place) => ({ place, jobs: jobs / 2, count: 1 }));
    return await drain(turn, parts, [turn.lab.postgres.pid]);
  } finally {
    await a.drop();
    await b.drop();
  }
}

const add = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);

interface Drained {
  readonly jobsPerSecond: number;
  /** CPU a job of each of the servers, in µs; null where it cannot be read. */
  readonly micros: readonly (number | null)[];
}

interface Part {
  readonly place: Place;
  readonly jobs: number;
  readonly count: number;
}

async function found({ url }: Place, name: string): Promise<void> {
  const db = connectPg({ url });
  await foundShard(db, name).finally(() => db.$disconnect());
}

/**
 * All parts at once, from the moment their workers are released to that of the last settlement of all.
 *
 * @param pids the servers whose CPU time is told
 */
async function drain({ system, lab, name }: Turn, parts: readonly Part[], pids: readonly number[]): Promise<Drained> {
  for (const { place, jobs } of parts) {
    await enqueueBacklog({ system, place, jobs });
    await lab.settle(place);
  }
  const opened = await Promise.all(
    parts.map(async (part) => ({
      ...part,
      workers: await openWorkers({ system, url: part.place.url, name, job: 'nothing', count: part.count }),
    })),
  );
  try {
    const before = pids.map(readTreeCpuMicros);
    let after = before;
    const startMs = Math.min(...opened.map(({ workers }) => workers.start()));
    const ends = await Promise.all(
      opened.map(({ workers, jobs }) =>
        workers.drained(jobs, { beforeLook: () => (after = pids.map(readTreeCpuMicros)) }),
      ),
    );
    const total = parts.reduce((sum, { jobs }) => sum + jobs, 0);
    const used = (at: number): number | null => {
      const [from, to] = [before[at], after[at]];
      return typeof from === 'number' && typeof to === 'number' ? (to - from) / total : null;
    };
    return {
      jobsPerSecond: (total * 1_000) / (Math.max(...ends) - startMs),
      micros: pids.map((_, at) => used(at)),
    };
  } finally {
    await Promise.all(opened.map(({ workers }) => workers.stop()));
  }
}

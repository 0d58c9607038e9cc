import { connectPg } from '@duework/database';
import { foundShard } from '@duework/shards';
import { readTreeCpuMicros } from '../gauges/read-cpu.js';
import { openWorkers } from '../processes/open-workers.js';
import type { SystemName } from '../systems/system.js';
import type { Place } from '../servers/make-place.js';
import { enqueueBacklog } from './enqueue-backlog.js';
import type { Measure, Turn } from './measure.js';

const SYSTEMS: readonly SystemName[] = ['duework', 'duework-pg'];

/** The same jobs in one database with two workers, and in two databases of the same server with one each. */
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
  ],
  takes: ({ name }) => SYSTEMS.includes(name),
  async run(turn) {
    const jobs = turn.size.drainJobs.all;
    const one = await drain(turn, [{ place: turn.place, jobs, count: 2 }]);
    const [a, b] = [await turn.openEmpty(), await turn.openEmpty()];
    try {
      await found(a, 'a');
      await found(b, 'b');
      const two = await drain(turn, [
        { place: a, jobs: jobs / 2, count: 1 },
        { place: b, jobs: jobs / 2, count: 1 },
      ]);
      return {
        one: one.jobsPerSecond,
        two: two.jobsPerSecond,
        oneMicros: one.serverMicros,
        twoMicros: two.serverMicros,
        times: one.serverMicros === null || two.serverMicros === null ? null : two.serverMicros / one.serverMicros,
      };
    } finally {
      await a.drop();
      await b.drop();
    }
  },
};

interface Part {
  readonly place: Place;
  readonly jobs: number;
  readonly count: number;
}

async function found({ url }: Place, name: string): Promise<void> {
  const db = connectPg({ url });
  await foundShard(db, name).finally(() => db.$disconnect());
}

/** All parts at once, from the moment their workers are released to that of the last settlement of all. */
async function drain(
  { system, lab, name }: Turn,
  parts: readonly Part[],
): Promise<{ readonly jobsPerSecond: number; readonly serverMicros: number | null }> {
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
    const { pid } = lab.postgres;
    const before = readTreeCpuMicros(pid);
    let after = before;
    const startMs = Math.min(...opened.map(({ workers }) => workers.start()));
    const ends = await Promise.all(
      opened.map(({ workers, jobs }) => workers.drained(jobs, { beforeLook: () => (after = readTreeCpuMicros(pid)) })),
    );
    const total = parts.reduce((sum, { jobs }) => sum + jobs, 0);
    return {
      jobsPerSecond: (total * 1_000) / (Math.max(...ends) - startMs),
      serverMicros: before === null || after === null ? null : (after - before) / total,
    };
  } finally {
    await Promise.all(opened.map(({ workers }) => workers.stop()));
  }
}

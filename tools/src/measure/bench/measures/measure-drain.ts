import { readTreeCpuMicros } from '../gauges/read-cpu.js';
import type { JobName } from '../processes/make-handler.js';
import { openWorkers } from '../processes/open-workers.js';
import { queryRow } from '../systems/query-once.js';
import type { Lane, Payload } from '../systems/system.js';
import { enqueueBacklog } from './enqueue-backlog.js';
import type { Turn } from './measure.js';

/** The position of the write-ahead log, in bytes. */
async function readWalBytes(url: string): Promise<number> {
  const { bytes } = await queryRow<{ bytes: string }>(url, `SELECT (pg_current_wal_lsn() - '0/0')::text AS bytes`);
  return Number(bytes);
}

/**
 * The number of row versions that died in this database so far. Sessions report them when they end, so the workers'
 * must have ended.
 */
async function readDeadTuples(url: string): Promise<number> {
  const { dead } = await queryRow<{ dead: number }>(
    url,
    'SELECT coalesce(sum(n_tup_upd + n_tup_del), 0)::float8 AS dead FROM pg_stat_user_tables',
  );
  return dead;
}

type DrainTurn = Pick<Turn, 'system' | 'lab' | 'place' | 'name'> & {
  readonly jobs: number;
  /** Worker processes; 1 unless given. */
  readonly count?: number;
  /** What the jobs do; nothing unless given. */
  readonly job?: JobName;
  readonly concurrency?: number;
  readonly isRssKept?: boolean;
  readonly lane?: Lane;
  readonly makeJob?: (id: number) => Payload;
};

/** Costs are per job; null where they cannot be measured. */
interface Drained {
  readonly jobsPerSecond: number;
  readonly serverMicros: number | null;
  readonly workerMicros: number;
  readonly walBytes: number | null;
  readonly deadTuples: number | null;
  /** Bytes in memory of the first worker, four times a second, where that was requested. */
  readonly rss: readonly number[];
}

/** Drains a backlog: from the moment the waiting workers are released to the moment the last job is settled. */
export async function measureDrain(turn: DrainTurn): Promise<Drained> {
  const { system, lab, place, jobs, name, count = 1, job = 'nothing', concurrency, isRssKept = false } = turn;
  const { lane, makeJob } = turn;
  await enqueueBacklog({ system, place, jobs, lane, makeJob });
  await lab.settle(place);
  const workers = await openWorkers({ system, url: place.url, count, job, concurrency, isRssKept, lane, name });
  try {
    const isSql = system.server === 'postgres';
    const walBefore = isSql ? await readWalBytes(place.url) : null;
    const deadBefore = isSql ? await readDeadTuples(place.url) : null;
    const serverPid = place.serverPid ?? lab.postgres.pid;
    const cpuBefore = readTreeCpuMicros(serverPid);
    let cpuAfter = cpuBefore;
    const startMs = workers.start();
    // the last check reads everything that was there, which must not be measured
    const endMs = await workers.drained(jobs, { beforeLook: () => (cpuAfter = readTreeCpuMicros(serverPid)) });
    const walAfter = isSql ? await readWalBytes(place.url) : null;
    const reads = await workers.read();
    await workers.stop();
    const perJob = (before: number | null, after: number | null): number | null =>
      before === null || after === null ? null : (after - before) / jobs;
    return {
      jobsPerSecond: (jobs * 1000) / (endMs - startMs),
      serverMicros: perJob(cpuBefore, cpuAfter),
      workerMicros: reads.reduce((sum, read) => sum + read.cpuMicros, 0) / jobs,
      walBytes: perJob(walBefore, walAfter),
      deadTuples: isSql ? perJob(deadBefore, await readDeadTuples(place.url)) : null,
      rss: reads[0]?.rss ?? [],
    };
  } finally {
    await workers.stop();
  }
}

/** The figures of a drain, without its memory. */
export async function measureCosts(turn: DrainTurn): Promise<Omit<Drained, 'rss'>> {
  const { rss: _rss, ...costs } = await measureDrain(turn);
  return costs;
}

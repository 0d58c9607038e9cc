import { setTimeout as pause } from 'node:timers/promises';
import { defineCatalog, defineJob } from '@duework/contracts';
import { parseDatabaseUrl, type PgClient, type PrismaClient } from '@duework/database';
import {
  createPostgresStore,
  createWorker,
  enqueueMany,
  jobRequest,
  heartbeatInThread,
  type Worker,
} from '@duework/queue-core';
import { z } from 'zod';
import { timed } from '../../kit/timed.js';
import { waitUntil } from '../../kit/wait-until.js';

const RUNS = 200_000;
const ROUND = 5_000;
/** A thousand runs a second, so that autovacuum, which runs once a minute, runs a few times. */
const ROUND_MS = 5_000;
const TOLD_EVERY = 20_000;
const LOOK_MS = 50;
const LIMIT_MS = 120_000;

const job = defineJob({ type: 'measured', payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([job]);
const noLog = { debug() {}, info() {}, warn() {}, error() {} };

const megabytes = (bytes: bigint): string => `${(Number(bytes) / 1_048_576).toFixed(1)} MB`;

function openWorker(db: PgClient, url: string): Worker {
  return createWorker({
    name: 'measure',
    store: createPostgresStore({ db }),
    leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
    catalog,
    handlers: { measured: async () => undefined },
    emit: () => {},
    logOf: () => noLog,
    concurrency: 200,
    buffer: 1_000,
    pollIntervalMs: 50,
  });
}

/** Enqueues and settles rounds of runs, and prints how large the table has become. */
export async function measureGrowth(db: PrismaClient, engineDb: PgClient, url: string): Promise<void> {
  const worker = openWorker(engineDb, url);
  await worker.start();
  const isDrained = async (): Promise<boolean> =>
    (await db.$queryRaw<unknown[]>`SELECT 1 FROM duework.job_runs LIMIT 1`).length === 0;
  for (let done = ROUND; done <= RUNS; done += ROUND) {
    const { ms } = await timed(async () => {
      await enqueueMany(
        engineDb,
        Array.from({ length: ROUND }, (_, n) => jobRequest(job, { n })),
      );
      await waitUntil('The round was not settled', isDrained, { limitMs: LIMIT_MS, everyMs: LOOK_MS });
    });
    await pause(Math.max(0, ROUND_MS - ms));
    if (done % TOLD_EVERY === 0) await tellSize(db, done);
  }
  await worker.stop({ deadlineMs: 1_000 });
}

interface Size {
  readonly heap: bigint;
  readonly indexes: bigint;
  readonly vacuums: number;
}

async function tellSize(db: PrismaClient, done: number): Promise<void> {
  const sizes = await db.$queryRaw<
    Size[]
  >`SELECT pg_relation_size('duework.job_runs') AS heap, pg_indexes_size('duework.job_runs') AS indexes,
      autovacuum_count::int AS vacuums FROM pg_stat_user_tables WHERE relid = 'duework.job_runs'::regclass`;
  for (const { heap, indexes, vacuums } of sizes)
    process.stdout.write(
      `${done} runs went through: job_runs ${megabytes(heap)}, its indexes ${megabytes(indexes)}, vacuumed ${vacuums} times\n`,
    );
}

import { enqueueMany, jobRequest, openQueue } from '@duework/queue-core';
import pg from 'pg';
import { startProcess } from '../../kit/start-process.js';
import { normal } from '../bulk/measured.js';
import { readFirstClaims, readLastClaim } from './sql.js';

const LIMIT_MS = 2_000;
const PER_BATCH = 10;
const EVERY_MS = 20;
const HELD_MS = 4_000;
const OPEN_MS = 4_000;

const wait = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Pauses the queue of several workers and resumes it, again and again, while jobs come. Returns whether each pause and
 * each resume was in force everywhere in time.
 */
export async function measurePauses(url: string, options: { workers: number; rounds: number }): Promise<boolean> {
  const db = new pg.Pool({ connectionString: url, max: 3 });
  const workers = Array.from({ length: options.workers }, (_, index) =>
    startProcess({ main: 'measure/bulk/processes/work.js', name: `worker-${index}`, args: [url] }),
  );
  for (const worker of workers) await worker.demand('start');
  const queue = openQueue(db);
  const over = new AbortController();
  const enqueued = enqueueSteadily(db, over.signal);
  await wait(OPEN_MS);
  let [slowestPause, slowestResume] = [0, 0];
  for (let round = 1; round <= options.rounds; round++) {
    const { since } = await queue.pauseQueue('default');
    await wait(HELD_MS);
    const pausedMs = Math.max(0, (await readLastClaim(db)) - since.getTime());
    const resumedMs = await resume(db, () => queue.resumeQueue('default'), options.workers);
    process.stdout.write(
      `paused: the last claim ${pausedMs.toFixed(0)} ms later; resumed: the last of ${options.workers} workers ran again after ${resumedMs.toFixed(0)} ms\n`,
    );
    slowestPause = Math.max(slowestPause, pausedMs);
    slowestResume = Math.max(slowestResume, resumedMs);
  }
  over.abort();
  await enqueued;
  await Promise.all(workers.map((worker) => worker.end()));
  await db.end();
  return slowestPause <= LIMIT_MS && slowestResume <= LIMIT_MS;
}

/** How long it takes until every worker has claimed again; infinite: one has not. */
async function resume(db: pg.Pool, act: () => Promise<unknown>, workers: number): Promise<number> {
  const { rows } = await db.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now');
  const [{ now }] = rows as [{ now: number }];
  await act();
  await wait(OPEN_MS);
  const first = await readFirstClaims(db, now);
  return first.length < workers ? Infinity : Math.max(...first) - now;
}

async function enqueueSteadily(db: pg.Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await enqueueMany(
      db,
      Array.from({ length: PER_BATCH }, (_, n) => jobRequest(normal, { n })),
    );
    await wait(EVERY_MS);
  }
}

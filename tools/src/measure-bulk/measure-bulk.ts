import { enqueueMany, jobRequest } from '@duework/queue-core';
import pg from 'pg';
import { startProcess, type StartedProcess } from '../kit/start-process.js';
import { waitUntil } from '../kit/wait-until.js';
import { normal } from './measured.js';
import { countLive, fillDead, forget, readWaits, type Waits } from './sql.js';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const BATCH_MS = 20;
const BASELINE_MS = 20_000;
const LONG = { limitMs: 300_000 };

interface Ended {
  readonly id: string;
  readonly done: number;
  readonly ms: number;
}

/** Enqueues normal work at a steady rate until `signal` aborts. */
async function enqueueSteadily(db: pg.Pool, perSecond: number, signal: AbortSignal): Promise<void> {
  const startMs = performance.now();
  for (let sent = 0; !signal.aborted;) {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * perSecond) - sent;
    if (due > 0)
      await enqueueMany(
        db,
        Array.from({ length: due }, (_, n) => jobRequest(normal, { n })),
      );
    sent += Math.max(0, due);
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
  }
}

/** How normal work fares while `act` goes on, or for a while without it. */
async function beside<T>(db: pg.Pool, perSecond: number, act: () => Promise<T>): Promise<{ waits: Waits; result: T }> {
  const over = new AbortController();
  const fromMs = Date.now();
  const enqueued = enqueueSteadily(db, perSecond, over.signal);
  const result = await act();
  const toMs = Date.now();
  over.abort();
  await enqueued;
  await waitUntil('normal work is done', async () => (await countLive(db, 'normal')) === 0, LONG);
  return { waits: await readWaits(db, fromMs, toMs), result };
}

const inWords = ({ jobs, p50Ms, p95Ms, p99Ms, perSecond }: Waits): string =>
  `${jobs} normal jobs, ${perSecond.toFixed(0)}/s; from enqueue to end p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms`;

/** Retries many dead runs beside normal work, undoes it and retries them alone. */
export async function measureBulk(
  url: string,
  { dead, perSecond }: { dead: number; perSecond: number },
): Promise<void> {
  const db = new pg.Pool({ connectionString: url, max: 4 });
  const worker: StartedProcess = startProcess({ main: 'measure-bulk/processes/work.js', name: 'worker', args: [url] });
  const stepper = startProcess({ main: 'measure-bulk/processes/step.js', name: 'stepper', args: [url] });
  const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, BASELINE_MS));
  const retry = (): Promise<Ended> => stepper.demand<Ended & object>('retry', {}, 300_000);

  await fillDead(db, dead);
  const alone = await retry();
  say(`${alone.done} dead jobs retried with nobody at work: ${(alone.ms / 1_000).toFixed(1)} s`);
  const undone = await stepper.demand<Ended & object>('undo', { id: alone.id }, 300_000);
  say(`the same undone: ${undone.done} in ${(undone.ms / 1_000).toFixed(1)} s`);

  await forget(db);
  await worker.demand('start');
  await beside(db, perSecond, pause);
  const without = await beside(db, perSecond, pause);
  say(`without: ${inWords(without.waits)}`);
  await fillDead(db, dead);
  const during = await beside(db, perSecond, retry);
  say(
    `beside ${during.result.done} dead jobs that are retried in ${(during.result.ms / 1_000).toFixed(1)} s, and run: ${inWords(during.waits)}`,
  );
  await waitUntil('what was retried is done', async () => (await countLive(db, 'revived')) === 0, LONG);
  await Promise.all([worker.end(), stepper.end()]);
  await db.end();
}

import { enqueueMany, jobRequest } from '@duework/queue-core';
import pg from 'pg';
import { startProcess, type StartedProcess } from '../../kit/start-process.js';
import { waitUntil } from '../../kit/wait-until.js';
import { normal } from './measured.js';
import { countLive, fillDead, forget, readWaits, type Waits } from './sql.js';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const BATCH_MS = 20;
const BASELINE_MS = 20_000;
const WARM_UP_MS = 5_000;
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

/** What is in the middle, the less of two. */
const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)]!;

function compare(without: readonly Waits[], during: readonly Waits[]): void {
  for (const key of ['p50Ms', 'p95Ms', 'perSecond'] as const) {
    const [before, beside] = [without, during].map((waits) => middleOf(waits.map((each) => each[key]))) as [
      number,
      number,
    ];
    say(
      `${key}: ${before.toFixed(1)} without, ${beside.toFixed(1)} beside, ${((beside / before - 1) * 100).toFixed(1)} %`,
    );
  }
}

export interface BulkOptions {
  readonly dead: number;
  readonly perSecond: number;
  readonly rounds: number;
  readonly only: readonly string[];
}

/** Retries many dead runs with nobody at work, undoes it, and retries them beside normal work, in turns with none of it. */
export async function measureBulk(url: string, { dead, perSecond, rounds, only }: BulkOptions): Promise<void> {
  const db = new pg.Pool({ connectionString: url, max: 4 });
  const stepper = startProcess({ main: 'measure/bulk/processes/step.js', name: 'stepper', args: [url] });
  const retry = (): Promise<Ended> => stepper.demand<Ended & object>('retry', {}, LONG.limitMs);
  if (only.includes('alone')) {
    await fillDead(db, dead);
    const { id, done, ms } = await retry();
    say(`${done} dead jobs retried with nobody at work: ${(ms / 1_000).toFixed(1)} s`);
    const undone = await stepper.demand<Ended & object>('undo', { id }, LONG.limitMs);
    say(`the same undone: ${undone.done} in ${(undone.ms / 1_000).toFixed(1)} s`);
  }
  if (only.includes('beside')) await measureBeside({ db, url, retry, dead, perSecond, rounds });
  await stepper.end();
  await db.end();
}

async function measureBeside({
  db,
  url,
  retry,
  dead,
  perSecond,
  rounds,
}: Omit<BulkOptions, 'only'> & { db: pg.Pool; url: string; retry: () => Promise<Ended> }): Promise<void> {
  const worker: StartedProcess = startProcess({ main: 'measure/bulk/processes/work.js', name: 'worker', args: [url] });
  const pause = (ms: number) => (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
  const without: Waits[] = [];
  const during: Waits[] = [];
  const measureWithout = async (): Promise<void> => {
    const { waits } = await beside(db, perSecond, pause(BASELINE_MS));
    without.push(waits);
    say(`without: ${inWords(waits)}`);
  };
  await forget(db);
  await worker.demand('start');
  await beside(db, perSecond, pause(WARM_UP_MS));
  await measureWithout();
  for (let round = 1; round <= rounds; round++) {
    await forget(db);
    await fillDead(db, dead);
    const { waits, result } = await beside(db, perSecond, retry);
    during.push(waits);
    say(
      `beside ${result.done} dead jobs that are retried in ${(result.ms / 1_000).toFixed(1)} s, and run: ${inWords(waits)}`,
    );
    await waitUntil('what was retried is done', async () => (await countLive(db, 'revived')) === 0, LONG);
    await measureWithout();
  }
  compare(without, during);
  await worker.end();
}

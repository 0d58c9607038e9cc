import { Worker } from 'node:worker_threads';
import { describeFailure, planOf } from '@duework/testing/simulation';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { findMistake } from './find-mistake.js';
import { type BatchResult, noTotals, type SeedBatch, type SeedTotals } from './seed-batch.js';

/** Seeds in one batch: few enough that the progress is updated often. */
const BATCH = 100;
const SEEDS = 2 ** 32;

export interface RunSeedsOptions {
  /** The number of seeds. */
  readonly seeds: number;
  readonly firstSeed: number;
  /** The number of threads. */
  readonly jobs: number;
  /** The name of a mistake to plant. */
  readonly plant: string | undefined;
}

/** Runs worlds in threads until one breaks a promise or all are done, and prints the result. Returns the exit code. */
export async function runSeeds({ seeds, firstSeed, jobs, plant }: RunSeedsOptions): Promise<number> {
  findMistake(plant);
  const totals = noTotals();
  const begunMs = performance.now();
  let next = 0;
  let isOver = false;
  const stop = (): void => void (isOver = true);
  process.once('SIGINT', stop);

  const takeBatch = (): SeedBatch | null => {
    if (isOver || next >= seeds) return null;
    const length = Math.min(BATCH, seeds - next);
    const batch = Array.from({ length }, (_, index) => (firstSeed + next + index) % SEEDS);
    next += length;
    return { seeds: batch, plant };
  };
  const onResult = ({ totals: more, failed }: BatchResult): void => {
    totals.worlds += more.worlds;
    totals.events += more.events;
    totals.faults += more.faults;
    totals.virtualMs += more.virtualMs;
    if (failed !== null) stop();
  };

  const threads = Math.min(jobs, Math.ceil(seeds / BATCH));
  const found = await showProgress(
    () => `${totals.worlds} of ${seeds} worlds from seed ${firstSeed}`,
    () => Promise.all(Array.from({ length: threads }, () => runThread(takeBatch, onResult))),
  );
  process.off('SIGINT', stop);
  process.stdout.write(describeTotals(totals, firstSeed, performance.now() - begunMs));
  const failed = found.filter((seed) => seed !== null);
  if (failed.length > 0) return describeBroken(Math.min(...failed), plant);
  const isDone = totals.worlds === seeds;
  process.stdout.write(isDone ? 'Every promise was kept.\n' : 'Stopped; every promise was kept so far.\n');
  return isDone ? 0 : 130;
}

/** Runs one thread until no seed is left or a world fails: resolves with its seed; null: none failed. */
function runThread(takeBatch: () => SeedBatch | null, onResult: (result: BatchResult) => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('seed-thread.js', import.meta.url));
    const end = (failed: number | null): void => void thread.terminate().then(() => resolve(failed), reject);
    const goOn = (): void => {
      const batch = takeBatch();
      if (batch === null) end(null);
      else thread.postMessage(batch);
    };
    thread.on('error', reject);
    thread.on('message', (result: BatchResult) => {
      onResult(result);
      if (result.failed === null) goOn();
      else end(result.failed);
    });
    goOn();
  });
}

function describeTotals({ worlds, events, faults, virtualMs }: SeedTotals, firstSeed: number, tookMs: number): string {
  const perMinute = Math.round(worlds / (tookMs / 60_000));
  return `${worlds} worlds from seed ${firstSeed}: ${events} events, ${faults} faults and ${Math.round(virtualMs / 3_600_000)} h of virtual time; ${perMinute} worlds a minute.\n`;
}

async function describeBroken(seed: number, plant: string | undefined): Promise<number> {
  const { text } = await showProgress('Shrinking', () =>
    describeFailure(planOf(seed), { plant: findMistake(plant) }, plant === undefined ? '' : `--plant ${plant}`),
  );
  process.stdout.write(`${text}\n`);
  return 1;
}

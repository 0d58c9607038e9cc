import { Worker } from 'node:worker_threads';
import { showProgress } from '../lib/show-progress.mjs';
import { findMistake, simulation } from './find-mistake.mjs';

/** Seeds at a time: short enough for a progress that moves. */
const BATCH = 100;
const SEEDS = 2 ** 32;

/** Runs worlds in threads until one breaks a promise or all are done, and tells what came of it. Returns the exit code. */
export async function runSeeds({ seeds, firstSeed, jobs, plant }) {
  findMistake(plant);
  const totals = { worlds: 0, events: 0, faults: 0, virtualMs: 0 };
  const begunMs = performance.now();
  let next = 0;
  let isOver = false;
  const stop = () => (isOver = true);
  process.once('SIGINT', stop);

  const takeBatch = () => {
    if (isOver || next >= seeds) return null;
    const batch = Array.from(
      { length: Math.min(BATCH, seeds - next) },
      (_, index) => (firstSeed + next + index) % SEEDS,
    );
    next += batch.length;
    return batch;
  };

  /** The first seed in one thread that failed; null: none did. */
  const work = () =>
    new Promise((resolve, reject) => {
      const thread = new Worker(new URL('seed-thread.mjs', import.meta.url));
      const goOn = () => {
        const batch = takeBatch();
        if (batch === null) end(null);
        else thread.postMessage({ seeds: batch, plant });
      };
      const end = (failed) => void thread.terminate().then(() => resolve(failed), reject);
      thread.on('error', reject);
      thread.on('message', ({ totals: more, failed }) => {
        for (const [name, number] of Object.entries(more)) totals[name] += number;
        if (failed === null) return goOn();
        stop();
        end(failed);
      });
      goOn();
    });

  const found = await showProgress(
    () => `${totals.worlds} of ${seeds} worlds from seed ${firstSeed}`,
    () => Promise.all(Array.from({ length: Math.min(jobs, Math.ceil(seeds / BATCH)) }, work)),
  );
  process.off('SIGINT', stop);
  const minutes = (performance.now() - begunMs) / 60_000;
  process.stdout.write(
    `${totals.worlds} worlds from seed ${firstSeed}: ${totals.events} events, ${totals.faults} faults and ${Math.round(totals.virtualMs / 3_600_000)} h of virtual time; ${Math.round(totals.worlds / minutes)} worlds a minute.\n`,
  );
  const failed = found.filter((seed) => seed !== null);
  if (failed.length === 0) {
    process.stdout.write(
      totals.worlds === seeds ? 'Every promise was kept.\n' : 'Stopped; every promise was kept so far.\n',
    );
    return totals.worlds === seeds ? 0 : 130;
  }
  const { text } = await showProgress('Shrinking', () =>
    simulation.describeFailure(
      simulation.planOf(Math.min(...failed)),
      { plant: findMistake(plant) },
      plant === undefined ? '' : `--plant ${plant}`,
    ),
  );
  process.stdout.write(`${text}\n`);
  return 1;
}

/** A thread that runs the seeds it is given, a batch at a time, and tells what it found. */
import { parentPort } from 'node:worker_threads';
import { findMistake, simulation } from './find-mistake.mjs';

const { planOf, simulate } = simulation;

parentPort.on('message', async ({ seeds, plant }) => {
  const totals = { worlds: 0, events: 0, faults: 0, virtualMs: 0 };
  for (const seed of seeds) {
    const { violation, events, faults, virtualMs } = await simulate(planOf(seed), { plant: findMistake(plant) });
    totals.worlds += 1;
    totals.events += events;
    totals.faults += faults.size;
    totals.virtualMs += virtualMs;
    if (violation !== null) return parentPort.postMessage({ totals, failed: seed });
  }
  parentPort.postMessage({ totals, failed: null });
});

/** A thread that runs the seeds it is given, a batch at a time, and reports the result. */
import { parentPort } from 'node:worker_threads';
import { planOf, simulate } from '@duework/testing/simulation';
import { findMistake } from './find-mistake.js';
import { type BatchResult, noTotals, type SeedBatch } from './seed-batch.js';

async function runBatch({ seeds, plant }: SeedBatch): Promise<BatchResult> {
  const totals = noTotals();
  for (const seed of seeds) {
    const { violation, events, faults, virtualMs } = await simulate(planOf(seed), { plant: findMistake(plant) });
    totals.worlds += 1;
    totals.events += events;
    totals.faults += faults.size;
    totals.virtualMs += virtualMs;
    if (violation !== null) return { totals, failed: seed };
  }
  return { totals, failed: null };
}

parentPort?.on('message', (batch: SeedBatch) => {
  void runBatch(batch).then((result) => parentPort?.postMessage(result));
});

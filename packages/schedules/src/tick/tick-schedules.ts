import type { TickReport } from '@duework/queue-core';
import type { Catalog, JobContract } from '@duework/contracts';
import { endPauses } from '../sql/end-pauses.js';
import { readNextTick } from '../sql/read-next-tick.js';
import type { TickOptions } from './tick-options.js';

const BATCH_SIZE = 1_000;
/** True when every due schedule is being decided by others. */
const BUSY_MS = 100;

/**
 * Finds every schedule that is due and decides about its due times: runs for those that fire, a line in the ledger for
 * all.
 *
 * Any number of tickers may run at once, in daemons, cron jobs and HTTP calls; none is the leader. One transaction
 * locks a batch of schedules (others skip them), and writes runs, ledger and the next due time together: whoever dies
 * in between has done nothing. Every moment comes from the database's clock; what this process believes the time to be
 * changes nothing. No handler runs in here, and no transaction is open while there is nothing to decide: an idle tick
 * is one indexed query.
 */
export async function tickSchedules(options: TickOptions): Promise<TickReport> {
  const { db, catalog, batchSize = BATCH_SIZE, signal } = options;
  const contracts = contractsOf(catalog);
  const total = { fired: 0, skipped: 0, waiting: 0 };
  for (;;) {
    const { dueInMs, resumeInMs } = await readNextTick(db, contracts);
    const isDue = dueInMs !== null && dueInMs <= 0;
    const hasResume = resumeInMs !== null && resumeInMs <= 0;
    if ((!isDue && !hasResume) || signal?.aborted) {
      const nextMs = Math.min(dueInMs ?? Infinity, resumeInMs ?? Infinity);
      return { ...total, nextTickInMs: nextMs === Infinity ? null : nextMs };
    }
    if (hasResume) await endPauses(db);
    // what decides is loaded when something is due, which without schedules nothing is
    const { tickBatch } = await import('./tick-batch.js');
    const decided = await tickBatch(options, contracts, batchSize);
    if (decided === 0) return { ...total, nextTickInMs: BUSY_MS };
    for (const event of decided) {
      if (event.name === 'schedule.fired') total.fired++;
      else if (event.name === 'schedule.skipped') total.skipped += event.count;
      else if (event.name === 'schedule.waiting') total.waiting++;
      if (event.name !== 'schedule.waiting') options.emit?.(event);
    }
  }
}

function contractsOf(catalog: Catalog): ReadonlyMap<string, JobContract> {
  return new Map(catalog.map((contract) => [contract.type, contract]));
}

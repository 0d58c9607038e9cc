import { type EmitEvent, type TickReport, type Transactable } from '@duework/queue-core';
import type { Catalog, JobContract } from '@duework/contracts';
import { inTransaction } from '@duework/sql';
import { isRefusal } from '@duework/sql/errors';
import { endPauses } from '../sql/end-pauses.js';
import { lockDueSchedules } from '../sql/lock-due-schedules.js';
import { postponeSchedule } from '../sql/postpone-schedule.js';
import { readNextTick } from '../sql/read-next-tick.js';
import { decideBatch } from './decide-batch.js';
import type { TickEvent } from './tick-event.js';

/**
 * Finds every schedule that is due and decides about its slots: runs for those that fire, a line in the ledger for all.
 *
 * Any number of tickers may run at once, in daemons, cron jobs and HTTP calls; none is the leader. One transaction locks a
 * batch of schedules (others skip them), and writes runs, ledger and the next slot together: whoever dies in between has
 * done nothing. Every moment comes from the database's clock; what this process believes the time to be changes nothing.
 * No handler runs in here, and no transaction is open while there is nothing to decide: an idle tick is one indexed query.
 */
export interface TickOptions {
  readonly db: Transactable;
  /** The types of which this process can make runs. */
  readonly catalog: Catalog;
  /** Who ticks, for the events. */
  readonly worker?: string;
  readonly emit?: EmitEvent;
  /** How many schedules one transaction decides about; 1,000 unless given. */
  readonly batchSize?: number;
  /** Ends the tick between two batches. */
  readonly signal?: AbortSignal;
}

const BATCH_SIZE = 1_000;
const POSTPONE_MS = 60_000;
/** True when every due schedule is being decided by others. */
const BUSY_MS = 100;

export async function tickSchedules(options: TickOptions): Promise<TickReport> {
  const { db, catalog, batchSize = BATCH_SIZE, signal } = options;
  const contracts = contractsOf(catalog);
  const total = { fired: 0, skipped: 0, waiting: 0 };
  for (;;) {
    const { slotInMs, resumeInMs } = await readNextTick(db, contracts);
    const hasSlot = slotInMs !== null && slotInMs <= 0;
    const hasResume = resumeInMs !== null && resumeInMs <= 0;
    if ((!hasSlot && !hasResume) || signal?.aborted) {
      const nextMs = Math.min(slotInMs ?? Infinity, resumeInMs ?? Infinity);
      return { ...total, nextTickInMs: nextMs === Infinity ? null : nextMs };
    }
    if (hasResume) await endPauses(db);
    const decided = await tickBatch(options, batchSize);
    if (decided === 0) return { ...total, nextTickInMs: BUSY_MS };
    for (const event of decided) {
      if (event.name === 'slot.fired') total.fired++;
      else if (event.name === 'slot.skipped') total.skipped += event.count;
      else if (event.name === 'slot.waiting') total.waiting++;
      if (event.name !== 'slot.waiting') options.emit?.(event);
    }
  }
}

/** How many schedules one batch decided; 0: the others have locked all that is due. */
async function tickBatch(
  { db, catalog, worker = 'tick', emit }: TickOptions,
  batchSize: number,
): Promise<readonly TickEvent[] | 0> {
  const contracts = contractsOf(catalog);
  const once = (limit: number) => {
    let locked: readonly { readonly id: string; readonly key: string; readonly type: string }[] = [];
    const decided = inTransaction(db, async (tx) => {
      const due = await lockDueSchedules(tx, contracts, limit);
      locked = due.schedules;
      return due.schedules.length === 0 ? 0 : decideBatch(tx, contracts, due, worker);
    });
    return { decided, locked: () => locked };
  };
  const batch = once(batchSize);
  try {
    return await batch.decided;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  // the database refuses something of one schedule: each gets a transaction of its own, so that it fails alone
  const events: TickEvent[] = [];
  for (let i = 0; i < batch.locked().length; i++) {
    const single = once(1);
    try {
      const decided = await single.decided;
      if (decided === 0) break;
      events.push(...decided);
    } catch (error) {
      const [refused] = single.locked();
      if (refused === undefined || !isRefusal(error)) throw error;
      await postponeSchedule(db, refused.id, POSTPONE_MS);
      emit?.({
        name: 'schedule.failed',
        worker,
        schedule: refused.key,
        type: refused.type,
        code: 'refused_by_database',
      });
    }
  }
  return events;
}

function contractsOf(catalog: Catalog): ReadonlyMap<string, JobContract> {
  return new Map(catalog.map((contract) => [contract.type, contract]));
}

import type { JobContract } from '@duework/contracts';
import { inTransaction } from '@duework/sql';
import { isRefusal } from '@duework/sql/errors';
import { lockDueSchedules } from '../sql/lock-due-schedules.js';
import { postponeSchedule } from '../sql/postpone-schedule.js';
import { decideBatch } from './decide-batch.js';
import type { TickEvent } from './tick-event.js';
import type { TickOptions } from './tick-options.js';

const POSTPONE_MS = 60_000;

/** How many schedules one batch decided; 0: the others have locked all that is due. */
export async function tickBatch(
  { db, worker = 'tick', emit }: TickOptions,
  contracts: ReadonlyMap<string, JobContract>,
  batchSize: number,
): Promise<readonly TickEvent[] | 0> {
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

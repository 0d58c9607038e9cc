import { raiseSlotAlerts } from '../sql/raise-slot-alerts.js';
import type { RaisedAlert } from '../sql/raise-alerts.js';
import { retainSlots } from '../sql/retain-slots.js';
import { tickSchedules, type TickOptions, type TickReport } from './tick-schedules.js';

/** What a worker does for schedules; each part is safe to do anywhere, at any time, twice. */
export interface Ticker {
  tick(signal?: AbortSignal): Promise<TickReport>;
  /** Drops the ledger that is older than `keepDays` days; returns how many lines. */
  retain(keepDays: number): Promise<number>;
  /** The alert to tell now, when slots are later than allowed. */
  raiseAlerts(): Promise<RaisedAlert[]>;
}

const RETAIN_BATCH = 10_000;
/** Ticks come every few seconds; cron wakes every minute. */
const MAX_LATE_SECONDS = 300;

export function createTicker(options: TickOptions & { readonly maxLateSeconds?: number }): Ticker {
  const { db, maxLateSeconds = MAX_LATE_SECONDS } = options;
  return {
    tick: (signal) => tickSchedules(signal === undefined ? options : { ...options, signal }),
    async retain(keepDays) {
      let total = 0;
      let gone: number;
      do {
        gone = await retainSlots(db, keepDays, RETAIN_BATCH);
        total += gone;
      } while (gone === RETAIN_BATCH);
      return total;
    },
    raiseAlerts: () => raiseSlotAlerts(db, maxLateSeconds),
  };
}

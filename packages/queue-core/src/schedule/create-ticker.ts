import { raiseSlotAlerts } from '../sql/raise-slot-alerts.js';
import type { RaisedAlert } from '../sql/raise-alerts.js';
import { inBatches } from '../maintenance/in-batches.js';
import { retainSlots } from '../sql/retain-slots.js';
import { tickSchedules, type TickOptions, type TickReport } from './tick-schedules.js';

/** What a worker does for schedules; each part is safe to do anywhere, at any time, twice. */
export interface Ticker {
  tick(signal?: AbortSignal): Promise<TickReport>;
  /** Drops the ledger that is older than `keepDays` days, in small steps; returns how many lines. */
  retain(keepDays: number, signal?: AbortSignal): Promise<number>;
  /** The alert to tell now, when slots are later than allowed. */
  raiseAlerts(): Promise<RaisedAlert[]>;
}

/** Ticks come every few seconds; cron wakes every minute. */
const MAX_LATE_SECONDS = 300;

export function createTicker(options: TickOptions & { readonly maxLateSeconds?: number }): Ticker {
  const { db, maxLateSeconds = MAX_LATE_SECONDS } = options;
  return {
    tick: (signal) => tickSchedules(signal === undefined ? options : { ...options, signal }),
    retain: (keepDays, signal) => inBatches(signal, (batch) => retainSlots(db, keepDays, batch)),
    raiseAlerts: () => raiseSlotAlerts(db, maxLateSeconds),
  };
}

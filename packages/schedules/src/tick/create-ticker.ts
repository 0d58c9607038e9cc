import { raiseSlotAlerts } from '../sql/raise-slot-alerts.js';
import type { Ticker } from '@duework/queue-core';
import { inBatches } from '@duework/queue-core/internals';
import { pruneSlots } from '../sql/prune-slots.js';
import type { TickOptions } from './tick-options.js';
import { tickSchedules } from './tick-schedules.js';

/** A daemon ticks every few seconds, and cron wakes a worker every minute. */
const MAX_LATE_SECONDS = 300;

export function createTicker(options: TickOptions & { readonly maxLateSeconds?: number }): Ticker {
  const { db, maxLateSeconds = MAX_LATE_SECONDS } = options;
  return {
    tick: (signal) => tickSchedules(signal === undefined ? options : { ...options, signal }),
    prune: (keepDays, signal) => inBatches(signal, (batch) => pruneSlots(db, keepDays, batch)),
    raiseAlerts: () => raiseSlotAlerts(db, maxLateSeconds),
  };
}

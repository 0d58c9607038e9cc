import type { Ticker } from '@duework/queue-core';
import { inBatches } from '@duework/queue-core/internals';
import { pruneSlots } from '../sql/prune-slots.js';
import type { TickOptions } from './tick-options.js';
import { tickSchedules } from './tick-schedules.js';

/**
 * Makes what enqueues the due slots of all schedules and prunes their ledger: `runWorker` has one; a worker of your own
 * takes it as an option.
 */
export function createTicker(options: TickOptions): Ticker {
  return {
    tick: (signal) => tickSchedules(signal === undefined ? options : { ...options, signal }),
    prune: (keepDays, signal) => inBatches(signal, (batch) => pruneSlots(options.db, keepDays, batch)),
  };
}

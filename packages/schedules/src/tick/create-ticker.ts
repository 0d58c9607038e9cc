import type { Ticker } from '@duework/queue-core';
import { inBatches } from '@duework/queue-core/internals';
import { pruneLedger } from '../sql/prune-ledger.js';
import type { TickOptions } from './tick-options.js';
import { tickSchedules } from './tick-schedules.js';

/**
 * Makes what enqueues the due times of all schedules and prunes their ledger: `runWorker` has one; a worker of your own
 * takes it as an option.
 */
export function createTicker(options: TickOptions): Ticker {
  return {
    tick: (signal) => tickSchedules(signal === undefined ? options : { ...options, signal }),
    prune: (keepDays, signal) => inBatches(signal, (batch) => pruneLedger(options.db, keepDays, batch)),
  };
}

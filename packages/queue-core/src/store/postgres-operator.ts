import { DueworkError } from '../errors.js';
import { CallGroup } from '../group-calls.js';
import type { Operator } from '../ports/operator.js';
import { acknowledgeRun } from '../sql/acknowledge-run.js';
import { cancelRun } from '../sql/cancel-run.js';
import { findJobs } from '../sql/find-jobs.js';
import { findStatus } from '../sql/find-status.js';
import { freeKey } from '../sql/free-key.js';
import { listJobs } from '../sql/list-jobs.js';
import { readQueueDepth } from '../sql/read-queue-depth.js';
import { retryRun } from '../sql/retry-run.js';
import type { Queryable } from '../sql/sql.js';
import { isRowId } from './is-row-id.js';

/** A run may have 64 KiB of payload, and 8 KiB of stack for each attempt that failed. */
const MAX_LOOKUPS = 50;

/**
 * An operator's verbs, each one statement through `db`. Lookups that arrive together share a statement.
 */
export function postgresOperator(db: Queryable): Operator {
  const lookups = new CallGroup({ send: (ids: readonly string[]) => findJobs(db, ids), max: MAX_LOOKUPS });
  return {
    find: async (id) => lookups.call(checkId(id)),
    statusOf: async (id) => findStatus(db, checkId(id)),
    list: (filter) => listJobs(db, filter),
    retry: async (id, effectsHappened) => (await retryRun(db, checkId(id), effectsHappened)).length > 0,
    async cancel(id, by, reason) {
      const [row] = await cancelRun(db, checkId(id), by, reason);
      if (row === undefined) return null;
      return row.status === 'running' ? 'requested' : 'cancelled';
    },
    acknowledge: async (id) => acknowledgeRun(db, checkId(id)),
    freeKey: async (id) => freeKey(db, checkId(id)),
    queueDepth: () => readQueueDepth(db),
  };
}

function checkId(id: string): string {
  if (!isRowId(id)) throw new DueworkError('invalid_job_id', { id });
  return id;
}

import type { OperatedRuns } from '../operate-on.js';
import { acknowledgeRun } from '../sql/acknowledge-run.js';
import { cancelRun } from '../sql/cancel-run.js';
import { findJob } from '../sql/find-job.js';
import { findStatuses } from '../sql/find-statuses.js';
import { freeKey } from '../sql/free-key.js';
import { listJobs } from '../sql/list-jobs.js';
import { retryRun } from '../sql/retry-run.js';
import type { Queryable } from '../sql/sql.js';

/** An operator's verbs, each one statement through `db`. */
export function postgresRuns(db: Queryable): OperatedRuns {
  return {
    find: (id) => findJob(db, id),
    statusOf: async (id) => (await findStatuses(db, [id]))[0]?.status ?? null,
    list: (filter) => listJobs(db, filter),
    retry: async (id, effectsHappened) => (await retryRun(db, id, effectsHappened)).length > 0,
    cancel: async (id, by, reason) => {
      const [row] = await cancelRun(db, id, by, reason);
      if (row === undefined) return null;
      return row.status === 'running' ? 'requested' : 'cancelled';
    },
    acknowledge: (id) => acknowledgeRun(db, id),
    freeKey: (id) => freeKey(db, id),
  };
}

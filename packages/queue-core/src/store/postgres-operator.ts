import { DueworkError } from '../errors.js';
import type { Operator } from '../ports/operator.js';
import { cancelRun } from '../sql/cancel-run.js';
import { findJob } from '../sql/find-job.js';
import { findStatuses } from '../sql/find-statuses.js';
import { listJobs } from '../sql/list-jobs.js';
import { readQueueDepth } from '../sql/read-queue-depth.js';
import { retryRun } from '../sql/retry-run.js';
import type { Queryable } from '../sql/sql.js';
import { isRowId } from './is-row-id.js';

/** An operator's verbs, each one statement through `db`. */
export function postgresOperator(db: Queryable): Operator {
  return {
    find: async (id) => findJob(db, checkId(id)),
    statusOf: async (id) => (await findStatuses(db, [checkId(id)]))[0]?.status ?? null,
    async list({ cursor, limit, ...filter }) {
      if (cursor !== undefined && !isRowId(cursor)) throw new DueworkError('invalid_cursor', { cursor });
      const jobs = await listJobs(db, { ...filter, beforeId: cursor, limit: limit + 1 });
      const page = jobs.slice(0, limit);
      return { jobs: page, nextCursor: jobs.length > limit ? page.at(-1)!.id : null };
    },
    retry: async (id, effectsHappened) => (await retryRun(db, checkId(id), effectsHappened)).length > 0,
    async cancel(id, by, reason) {
      const [row] = await cancelRun(db, checkId(id), by, reason);
      if (row === undefined) return null;
      return row.status === 'running' ? 'requested' : 'cancelled';
    },
    queueDepth: () => readQueueDepth(db),
  };
}

function checkId(id: string): string {
  if (!isRowId(id)) throw new DueworkError('invalid_job_id', { id });
  return id;
}

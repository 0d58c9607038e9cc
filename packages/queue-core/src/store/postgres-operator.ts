import { DueworkError } from '@duework/sql/errors';
import { CallGroup } from '../enqueue/group-calls.js';
import type { Operator } from '../ports/operator.js';
import { acknowledgeRun } from '../sql/operate/acknowledge-run.js';
import { cancelBatch } from '../sql/batches/cancel-batch.js';
import { findBatch, listBatches } from '../sql/batches/find-batches.js';
import { cancelRun } from '../sql/operate/cancel-run.js';
import { findJobs } from '../sql/operate/find-jobs.js';
import { findStatus } from '../sql/operate/find-status.js';
import { freeKey } from '../sql/operate/free-key.js';
import { listJobs } from '../sql/operate/list-jobs.js';
import { listPauses } from '../sql/operate/list-pauses.js';
import { pauseRuns } from '../sql/operate/pause-runs.js';
import { readQueueDepth } from '../sql/claim/read-queue-depth.js';
import { resumeRuns } from '../sql/operate/resume-runs.js';
import { retryRun } from '../sql/operate/retry-run.js';
import { hasStep } from '../sql/steps/has-step.js';
import { updateRun } from '../sql/operate/update-run.js';
import { type Queryable, isRowId } from '@duework/sql';

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
    retry: async (id, how, act) => (await retryRun(db, checkId(id), how, act)).length > 0,
    hasStep: async (id, name) => hasStep(db, checkId(id), name),
    async cancel(id, act) {
      const [row] = await cancelRun(db, checkId(id), act);
      if (row === undefined) return null;
      return row.status === 'running' ? 'requested' : 'cancelled';
    },
    update: async (id, update, act) => updateRun(db, checkId(id), update, act),
    acknowledge: async (id, act) => acknowledgeRun(db, checkId(id), act),
    freeKey: async (id, act) => freeKey(db, checkId(id), act),
    pause: (pause) => pauseRuns(db, pause),
    resume: (kind, name, act) => resumeRuns(db, kind, name, act),
    pauses: () => listPauses(db),
    findBatch: (id) => findBatch(db, id),
    listBatches: (page) => listBatches(db, page),
    cancelBatch: (id, act) => cancelBatch(db, id, act),
    queueDepth: () => readQueueDepth(db),
  };
}

function checkId(id: string): string {
  if (!isRowId(id)) throw new DueworkError('invalid_job_id', { id });
  return id;
}

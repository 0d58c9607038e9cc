import type { OperatedRuns } from '@duework/queue-core/internals';
import { acknowledgeRun } from './acknowledge-run.js';
import { cancelRun } from './cancel-run.js';
import type { Admission } from './admission.js';
import { freeKey } from './free-key.js';
import { listJobs } from './list-jobs.js';
import { toJob } from './memory-run.js';
import type { MemoryTables } from './memory-tables.js';
import { retryRun } from './retry-run.js';
import type { DueWatch } from './watch-due.js';

/** An operator's verbs over the runs in this process. A finished run that is retried needs room like a new one. */
export function memoryRuns(tables: MemoryTables, admission: Admission, watch: DueWatch): OperatedRuns {
  return {
    async find(id) {
      const run = tables.find(id);
      return run === undefined
        ? null
        : { job: toJob(run), attempts: (tables.attempts.get(id) ?? []).map((attempt) => ({ ...attempt })) };
    },
    statusOf: async (id) => tables.find(id)?.status ?? null,
    list: async (filter) => listJobs(tables, filter),
    async retry(id, effectsHappened) {
      const status = tables.history.get(id)?.status;
      if (status !== undefined && status !== 'succeeded') admission.checkRoom(1);
      return retryRun(tables, id, effectsHappened);
    },
    async cancel(id, by, reason) {
      const answer = cancelRun(tables, id, by, reason);
      const run = tables.live.get(id);
      if (run !== undefined)
        watch.tell({
          kind: 'cancel_requested',
          id,
          fence: run.fence,
          by: run.cancelRequestedBy,
          reason: run.cancelReason,
        });
      return answer;
    },
    acknowledge: async (id) => acknowledgeRun(tables, id),
    freeKey: async (id) => freeKey(tables, id),
  };
}

import { DueworkError } from '@duework/queue-core';
import type { Operator } from '@duework/queue-core/ports';
import { addUpBatches } from '../work/add-up-batches.js';
import { acknowledgeRun } from './acknowledge-run.js';
import type { Admission } from '../admission.js';
import { cancelRun } from './cancel-run.js';
import { freeKey } from './free-key.js';
import { listJobs } from './list-jobs.js';
import { listPauses } from './list-pauses.js';
import { numberOf } from '../tables/memory-id.js';
import { toJob } from '../tables/memory-run.js';
import { keyOf, type MemoryTables } from '../tables/memory-tables.js';
import { pauseRuns } from './pause-runs.js';
import { readQueueDepth } from './read-queue-depth.js';
import { retryRun } from './retry-run.js';
import type { DueWatch } from '../tables/watch-due.js';
import { updateRun } from './update-run.js';

/** An operator's verbs over the runs in this process. A finished run that is retried needs room like a new one. */
export function memoryOperator(tables: MemoryTables, admission: Admission, watch: DueWatch): Operator {
  const cancel = (id: string, by: string | null, reason: string | null): 'cancelled' | 'requested' | null => {
    const answer = cancelRun(tables, id, by, reason);
    tables.gates.look();
    const run = tables.live.get(id);
    if (run !== undefined) {
      const { fence, cancelRequestedBy, cancelReason } = run;
      watch.tell({ kind: 'cancel_requested', id, fence, by: cancelRequestedBy, reason: cancelReason });
    }
    return answer;
  };
  return {
    async find(id) {
      checkId(id);
      const run = tables.find(id);
      return run === undefined
        ? null
        : {
            job: toJob(run, tables.nowMs()),
            attempts: (tables.attempts.get(id) ?? []).map((attempt) => ({ ...attempt })),
          };
    },
    async statusOf(id) {
      checkId(id);
      return tables.find(id)?.status ?? null;
    },
    list: async (filter) => listJobs(tables, filter),
    hasStep: async (id, name) =>
      (tables.steps.get(id)?.has(name) ?? false) || (tables.waits.get(id)?.has(name) ?? false),
    async retry(id, how) {
      checkId(id);
      const status = tables.history.get(id)?.status;
      if (status !== undefined && status !== 'succeeded') admission.checkRoom(1);
      const isRetried = retryRun(tables, id, how);
      tables.gates.look();
      return isRetried;
    },
    async cancel(id, { by = null, reason = null }) {
      checkId(id);
      const answer = cancel(id, by, reason);
      addUpBatches(tables);
      return answer;
    },
    async update(id, update) {
      checkId(id);
      return updateRun(tables, id, update);
    },
    async acknowledge(id) {
      checkId(id);
      const isDead = acknowledgeRun(tables, id);
      tables.gates.look();
      return isDead;
    },
    async freeKey(id) {
      checkId(id);
      const wasHeld = freeKey(tables, id);
      tables.gates.look();
      return wasHeld;
    },
    async pause(pause) {
      const paused = pauseRuns(tables, pause);
      watch.arm(tables.nowMs());
      return paused;
    },
    async resume(kind, name) {
      const pause = tables.pauseOf(kind, name, tables.nowMs()) ?? null;
      tables.pauses.delete(keyOf(kind, name));
      if (pause !== null) watch.tell({ kind: 'woken', queue: null });
      return pause;
    },
    pauses: async () => listPauses(tables),
    findBatch: async (id) => tables.batches.find(id),
    listBatches: async (page) => tables.batches.list(page),
    async cancelBatch(id, { by = null, reason = null }) {
      const answers = tables.batches.runIdsOf(id).map((run) => cancel(run, by, reason));
      addUpBatches(tables);
      const count = (answer: 'cancelled' | 'requested'): number => answers.filter((one) => one === answer).length;
      return { cancelled: count('cancelled'), requested: count('requested') };
    },
    queueDepth: async () => readQueueDepth(tables),
  };
}

function checkId(id: string): void {
  if (numberOf(id) === null) throw new DueworkError('invalid_job_id', { id });
}

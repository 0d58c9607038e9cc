import {
  type Capabilities,
  checkContracts,
  findAlerts,
  judgeAlerts,
  notesOf,
  noteTold,
  requireCapability,
  RESCUE,
  type Store,
} from '@duework/queue-core/ports';
import type { JobContract } from '@duework/contracts';
import { insertRuns } from './insert-runs.js';
import { addUpBatches } from './work/add-up-batches.js';
import { beginEffect } from './work/begin-effect.js';
import { beginWait } from './work/begin-wait.js';
import { claimRuns } from './work/claim-runs.js';
import { endEffect } from './work/end-effect.js';
import { endWait } from './work/end-wait.js';
import { expireRuns } from './work/expire-runs.js';
import { extendLeases } from './work/extend-leases.js';
import { findEffect } from './work/find-effect.js';
import type { MemoryTables } from './tables/memory-tables.js';
import { raiseWaiting } from './work/raise-waiting.js';
import { viewForAlerts } from './work/view-for-alerts.js';
import { tellEnded } from './work/tell-ended.js';
import { tellDead } from './work/tell-dead.js';
import { hasExpired, rescueRuns } from './work/rescue-runs.js';
import { pruneHistory } from './work/prune-history.js';
import { settleRuns } from './work/settle-runs.js';
import { readSteps } from './work/read-steps.js';
import { writeStep } from './work/write-step.js';
import type { DueWatch } from './tables/watch-due.js';

/**
 * This store does not see the handler's own transaction, so the attempt stands for it: `completeIn` completes the run
 * at once, and the completion is taken back when the handler throws later.
 */
export const MEMORY_CAPABILITIES: Capabilities = {
  transactional: true,
  lists: true,
  priorities: true,
  flow: true,
  steps: true,
  batches: true,
  unique: true,
  terms: true,
  events: false,
  objects: false,
};

/**
 * The store in this process: every verb with the meaning of the statement of the same name, without the database. Its
 * clock is the one of its tables. Each verb has happened when its call returns; only the answer is a promise.
 */
export function createMemoryStore(
  tables: MemoryTables,
  watch: DueWatch,
  capabilities: Capabilities = MEMORY_CAPABILITIES,
): Store {
  tables.onDead = (run) => tellDead(tables, run);
  tables.onEnded = (run) => tellEnded(tables, run);
  return {
    capabilities,
    async claim(request) {
      const nowMs = tables.nowMs();
      tables.gates.look();
      tables.gates.takeTurns(request.queue, request.limit);
      const runs = claimRuns(tables, request, nowMs);
      watch.arm(nowMs);
      // a run that becomes due later wakes the worker then
      return { runs, dueInMs: null };
    },
    async settle(batch) {
      const settled = settleRuns(tables, batch);
      addUpBatches(tables);
      const shut = tables.gates.note(notesOf(batch));
      tables.gates.look();
      for (const [gate, forMs] of shut) watch.tell({ kind: 'shut', gate, forMs });
      return settled;
    },
    extendLeases: async (batch) => extendLeases(tables, batch),
    beginEffect: async (request) => beginEffect(tables, request),
    findEffect: async (key) => findEffect(tables, key),
    endEffect: async (key, claim, ending) => endEffect(tables, key, claim, ending),
    readSteps: async (id, fence) => readSteps(tables, id, fence),
    writeSteps: async (batch) => batch.map((step) => writeStep(tables, step)),
    beginWaits: async (batch) => batch.map((wait) => beginWait(tables, wait)),
    endWait: async (wait) => endWait(tables, wait),
    insertChildren: async (runs) => {
      const jobs = insertRuns(tables, runs);
      tables.gates.look();
      return jobs;
    },
    async writeStepIn(_, step) {
      requireCapability(capabilities, 'transactional', 'step.in');
      return writeStep(tables, step);
    },
    async saveProgress(id, fence, progressJson) {
      const run = tables.owned(id, fence);
      if (run !== undefined) run.progressJson = progressJson;
      return run !== undefined;
    },
    async keepObject() {
      requireCapability(capabilities, 'objects', 'putObject');
      return false;
    },
    async completeIn(_, { id, fence, result, logs }) {
      requireCapability(capabilities, 'transactional', 'completeIn');
      const run = tables.owned(id, fence);
      if (run === undefined) return false;
      const kept = logs === undefined ? {} : { logs };
      const completion = { kind: 'complete', id, fence, result, gates: run.gates ?? [], ...kept } as const;
      settleRuns(tables, [completion]);
      run.isCompletedIn = true;
      tables.gates.note(notesOf([completion]));
      tables.gates.look();
      return true;
    },
    async isCompleted(id, fence) {
      const run = tables.history.get(id);
      return run?.status === 'succeeded' && run.fence === fence;
    },
    // its workers live in this process, and have no sessions that could be missing
    async takeChores(asked) {
      const taken = tables.takeChores(asked);
      const lost = taken.includes(RESCUE) ? { hasExpired: hasExpired(tables), missing: [] } : null;
      return { taken, nowMs: tables.nowMs(), lost };
    },
    async rescue(limit, whose) {
      if (whose?.workers !== undefined) return [];
      const rescued = rescueRuns(tables, limit, whose);
      addUpBatches(tables);
      tables.gates.look();
      return rescued;
    },
    expire: async (batch) => {
      const expired = expireRuns(tables, batch);
      addUpBatches(tables);
      tables.gates.look();
      return expired;
    },
    addUpBatches: async () => {
      addUpBatches(tables);
      return [];
    },
    forgetWorkers: async () => [],
    // contracts are code; kept is what others need who may not know them: a rescuing worker, and the gates of all
    prepare: async (catalog) => {
      checkContracts(capabilities, catalog);
      for (const { type, retry, maxWaitMs } of catalog) {
        tables.retryOf.set(type, retry);
        tables.maxWaitMsOf.set(type, maxWaitMs ?? Infinity);
      }
      tables.gates.declare(catalog);
      tables.gates.look();
      const isNew = ({ type }: JobContract): boolean => !catalog.some((contract) => contract.type === type);
      tables.catalog = [...tables.catalog.filter(isNew), ...catalog];
      return [];
    },
    announceContracts: async (worker) =>
      void tables.readers.set(worker.worker, { ...worker, seenAtMs: tables.nowMs() }),
    withdrawContracts: async (worker) => void tables.readers.delete(worker),
    async prune(keep) {
      const dropped = pruneHistory(tables, keep);
      tables.gates.look();
      return { made: 0, dropped };
    },
    raiseWaiting: async () => raiseWaiting(tables),
    // its gates are looked at by whatever changes them
    findForgottenKeys: async () => {},
    // its runs end with the program that has declared their rules
    giveGates: async () => null,
    lookForAlerts: async (limits, ways) =>
      judgeAlerts(tables.alerts, findAlerts(viewForAlerts(tables), limits), ways, tables.nowMs()),
    alertTold: async (told) => noteTold(tables.alerts, told, tables.nowMs()),
    watch: (listener) => watch.watch(listener),
  };
}

import { checkContracts, type Store } from '@duework/queue-core/ports';
import { BULLMQ_CAPABILITIES } from './capabilities.js';
import { beginEffect, endEffect, findEffect } from './effects/effects.js';
import { FIELD } from './jobs/fields.js';
import { readJobId } from './jobs/job-id.js';
import { type BullmqConnection, Queues, tokenOf } from './redis/queues.js';
import { readRun } from './redis/read-runs.js';
import { refuse } from './refuse.js';
import { expireRuns } from './terms/expire-runs.js';
import { raiseWaiting } from './terms/raise-waiting.js';
import { writeContracts } from './upkeep/known-contracts.js';
import { pruneRuns } from './upkeep/prune-runs.js';
import { alertTold, lookForAlerts } from './upkeep/look-for-alerts.js';
import { removeReader, writeReader } from './upkeep/readers.js';
import { watchWakes } from './watch-wakes.js';
import { claimRuns } from './work/claim-runs.js';
import { extendLeases } from './work/extend-leases.js';
import { FetchedAhead } from './work/fetched-ahead.js';
import { rescueRuns } from './work/rescue-runs.js';
import { takeChores } from './upkeep/take-chores.js';
import { settleRuns } from './work/settle-runs.js';

/**
 * The store of a worker over BullMQ's queues on Redis: the same engine, contracts and handlers as over PostgreSQL.
 * `prepare` throws `not_supported` for a contract that needs what Redis cannot promise.
 *
 * Times are of this program's clock, as BullMQ's are; leases end on Redis's.
 *
 * @throws DueworkError `invalid_option` for a prefix that the connection cannot have
 */
export function createBullmqStore(options: BullmqConnection): Store {
  const queues = new Queues(options);
  const ahead = new FetchedAhead(queues);
  return {
    capabilities: BULLMQ_CAPABILITIES,
    claim: (request) => claimRuns(queues, ahead, request),
    settle: (batch) => settleRuns(queues, ahead, batch),
    extendLeases: (batch) => extendLeases(queues, batch),
    saveProgress: (id, fence, progressJson) => saveProgress(queues, id, fence, progressJson),
    keepObject: () => refuse('objects', 'putObject'),
    completeIn: () => refuse('transactional', 'completeIn'),
    isCompleted: (id, fence) => isCompleted(queues, id, fence),
    beginEffect: (request) => beginEffect(queues, request),
    findEffect: (key) => findEffect(queues, key),
    endEffect: (key, claim, ending) => endEffect(queues, key, claim, ending),
    readSteps: () => refuse('steps', 'durable'),
    writeSteps: () => refuse('steps', 'durable'),
    writeStepIn: () => refuse('transactional', 'step.in'),
    beginWaits: () => refuse('steps', 'durable'),
    endWait: () => refuse('steps', 'durable'),
    insertChildren: () => refuse('steps', 'durable'),
    async prepare(catalog) {
      checkContracts(BULLMQ_CAPABILITIES, catalog);
      await queues.keepsAll();
      await writeContracts(queues, catalog);
      return [];
    },
    announceContracts: (worker) => writeReader(queues, worker),
    async withdrawContracts(worker) {
      await Promise.all([ahead.giveBack(), removeReader(queues, worker)]);
    },
    takeChores: (asked) => takeChores(queues, asked),
    // workers have no sessions here that could be missing: their leases decide
    rescue: async (limit, whose = {}) => (whose.workers === undefined ? rescueRuns(queues, limit, whose) : []),
    forgetWorkers: async () => [],
    expire: (batch) => expireRuns(queues, batch),
    raiseWaiting: () => raiseWaiting(queues),
    // no run has a batch or a gate: both are refused where it is enqueued
    addUpBatches: async () => [],
    findForgottenKeys: async () => {},
    giveGates: async () => null,
    prune: async (keep, signal) => ({ made: 0, dropped: await pruneRuns(queues, keep, signal) }),
    lookForAlerts: (limits, ways) => lookForAlerts(queues, limits, ways),
    alertTold: (told) => alertTold(queues, told),
    watch: (listener) => watchWakes(queues, listener),
  };
}

async function saveProgress(queues: Queues, id: string, fence: number, progressJson: string): Promise<boolean> {
  const placed = readJobId(id);
  if (placed === null) return false;
  const { redis } = queues;
  const keys = [queues.jobKey(placed), queues.lockKey(placed)] as const;
  return (await redis.dueworkWrite(...keys, tokenOf(placed, fence), 'progress', progressJson)) === 1;
}

async function isCompleted(queues: Queues, id: string, fence: number): Promise<boolean> {
  const placed = readJobId(id);
  const run = placed === null ? null : await readRun(queues, placed);
  return run?.status === 'succeeded' && Number(run.raw[FIELD.fence]) === fence;
}

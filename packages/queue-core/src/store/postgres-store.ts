import { addUpBatches } from '../sql/batches/add-up-batches.js';
import { beginEffect } from '../sql/effects/begin-effect.js';
import { completeRuns } from '../sql/settle/complete-runs.js';
import { endEffect } from '../sql/effects/end-effect.js';
import { ensurePartitions } from '../sql/enqueue/ensure-partitions.js';
import { expireRuns } from '../sql/upkeep/expire-runs.js';
import { extendLeases } from '../sql/leases/extend-leases.js';
import { findEffect } from '../sql/effects/find-effect.js';
import { forgetWorkers } from '../sql/workers/forget-workers.js';
import { isCompleted } from '../sql/settle/is-completed.js';
import { alertTold, lookForAlerts } from '../sql/upkeep/look-for-alerts.js';
import { announceContracts } from '../sql/registry/announce-contracts.js';
import { raiseWaiting } from '../sql/flow/raise-waiting.js';
import { beginWaits } from '../sql/steps/begin-waits.js';
import { endWait } from '../sql/steps/end-wait.js';
import { readSteps } from '../sql/steps/read-steps.js';
import { writeSteps } from '../sql/steps/write-steps.js';
import { keepObject } from '../sql/objects/keep-object.js';
import { rescueRuns } from '../sql/leases/rescue-runs.js';
import { takeChores } from '../sql/upkeep/take-chores.js';
import { sampleDepth } from '../sql/claim/sample-depth.js';
import { saveProgress } from '../sql/leases/save-progress.js';
import { type Queryable, checkOpen, recogniseClient } from '@duework/sql';
import { writeFigures } from '../sql/upkeep/write-figures.js';
import { withdrawContracts } from '../sql/registry/withdraw-contracts.js';
import { pruneRuns } from '../maintenance/prune-runs.js';
import { systemClock } from '../clock.js';
import { contractRows, registerSchemas } from '../registry/registry.js';
import { lookAtRegistry } from '../sql/registry/look-at-registry.js';
import { BoundedClaims } from './bounded-claims.js';
import { claimBehindGates } from './claim-behind-gates.js';
import { POSTGRES_CAPABILITIES } from './postgres-capabilities.js';
import { ForgottenKeys } from './forgotten-keys.js';
import { GateChanges } from './gate-changes.js';
import { TurnPace } from './turn-pace.js';
import { settleAndTake } from './settle-and-take.js';
import { writeRuns } from '../enqueue/write-runs.js';
import { DueworkError } from '@duework/sql/errors';
import type { Transaction } from '../ports/runs.js';
import type { Store } from '../ports/store.js';
import { readShardName } from '../sql/workers/read-shard-name.js';

/** How far ahead the daily partitions of the history are made; the hourly maintenance would have to fail for a week. */
const PARTITION_DAYS_AHEAD = 7;

/** How long, at most, the settlement of a run waits for others to share its statement. */
const SETTLE_GAP_MS = 5;

export interface PostgresStoreOptions {
  /** Whatever runs raw SQL: a worker gives it what `connectPg` makes. */
  readonly db: Queryable;
  /**
   * Told at each `takeChores` what a database has until it is dropped; `false`: runs were claimed in another, so settle
   * none.
   */
  readonly isOurs?: (identity: string) => boolean;
}

/** The store on PostgreSQL. */
export function createPostgresStore({ db, isOurs = () => true }: PostgresStoreOptions): Store {
  let claims = new BoundedClaims(db, systemClock);
  // their bounds have passed what was not to be claimed
  const gates = new GateChanges(db, () => (claims = new BoundedClaims(db, systemClock)));
  const turns = { clock: systemClock, pace: new TurnPace() };
  const forgotten = new ForgottenKeys(db);
  let shard: string | undefined;
  let isReplaced = false;
  const noteIdentity = (identity: string | null): void => {
    isReplaced ||= identity !== null && !isOurs(identity);
  };
  /** The caller's open transaction. Throws `wrong_shard`: another shard may have a run of the same number and fence. */
  const openHere = async (tx: Transaction): Promise<Queryable> => {
    const client = recogniseClient(tx as Queryable);
    checkOpen(client);
    if (shard === undefined) return client;
    const actual = await readShardName(client);
    if (actual !== shard) throw new DueworkError('wrong_shard', { expected: shard, actual });
    return client;
  };
  return {
    get shard() {
      return shard;
    },
    capabilities: POSTGRES_CAPABILITIES,
    claim: async (request) =>
      gates.check(await claimBehindGates(db, request, () => claims.claim(gates.narrow(request)), turns)),
    settleGapMs: SETTLE_GAP_MS,
    settle: async (batch, taker) => {
      // a row may be gone with its database, and another run has its number in the new one
      if (batch.some(({ wasLost }) => wasLost)) noteIdentity((await takeChores(db, [])).identity);
      return isReplaced ? batch.map(() => null) : settleAndTake(db, batch, gates, taker);
    },
    extendLeases: (batch) => extendLeases(db, batch),
    beginEffect: (request) => beginEffect(db, request),
    findEffect: (key) => findEffect(db, key),
    endEffect: (key, claim, ending) => endEffect(db, key, claim, ending),
    readSteps: (id, fence) => readSteps(db, id, fence),
    writeSteps: (batch) => writeSteps(db, batch),
    writeStepIn: async (tx, step) => {
      const client = await openHere(tx);
      return (await writeSteps(client, [step], true))[0]!;
    },
    beginWaits: (batch) => beginWaits(db, batch),
    endWait: (wait) => endWait(db, wait),
    insertChildren: (runs) => writeRuns(db, runs),
    saveProgress: (id, fence, progressJson) => saveProgress(db, id, fence, progressJson),
    keepObject: (id, fence, key) => keepObject(db, id, fence, key),
    completeIn: async (tx, completion) => {
      if (isReplaced) return false;
      const client = await openHere(tx);
      return (await completeRuns(client, [completion], completion.gates ? { notes: null } : null, true)).length === 1;
    },
    isCompleted: (id, fence) => isCompleted(db, id, fence),
    takeChores: async (asked) => {
      const { identity, ...chores } = await takeChores(db, asked);
      noteIdentity(identity);
      return chores;
    },
    rescue: (limit, whose) => rescueRuns(db, limit, whose),
    expire: (batch) => expireRuns(db, batch),
    addUpBatches: (ids) => addUpBatches(db, ids),
    forgetWorkers: (names) => forgetWorkers(db, names),
    prepare: async (catalog) => {
      const versions = contractRows(catalog);
      const look = await lookAtRegistry(db, catalog, versions, PARTITION_DAYS_AHEAD);
      shard = look.shard ?? undefined;
      if (!look.hasPartitions) await ensurePartitions(db, PARTITION_DAYS_AHEAD);
      if (look.isDefined) gates.registered(catalog, look.changing);
      else await gates.register(catalog);
      return look.isKnown ? [] : registerSchemas(db, versions);
    },
    announceContracts: (about) => {
      gates.named(about.worker);
      return announceContracts(db, about);
    },
    withdrawContracts: (worker) => withdrawContracts(db, worker),
    prune: async (keep, signal) => ({
      made: await ensurePartitions(db, PARTITION_DAYS_AHEAD),
      dropped: await pruneRuns(db, keep, signal),
    }),
    writeFigures: (rows) => writeFigures(db, rows),
    sampleDepth: () => sampleDepth(db),
    raiseWaiting: () => raiseWaiting(db),
    findForgottenKeys: () => forgotten.find(),
    giveGates: () => gates.give(),
    lookForAlerts: async (limits, ways) => {
      const alerts = await lookForAlerts(db, limits, ways);
      return shard === undefined ? alerts : alerts.map((alert) => ({ ...alert, shard: shard! }));
    },
    alertTold: (told) => alertTold(db, told),
  };
}

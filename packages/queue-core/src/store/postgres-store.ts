import { beginEffect } from '../sql/begin-effect.js';
import { buryRuns } from '../sql/bury-runs.js';
import { claimRuns } from '../sql/claim-runs.js';
import { completeRuns } from '../sql/complete-runs.js';
import { endEffect } from '../sql/end-effect.js';
import { ensurePartitions } from '../sql/ensure-partitions.js';
import { extendLeases } from '../sql/extend-leases.js';
import { failRuns, type FailedAttempt } from '../sql/fail-runs.js';
import { findEffect } from '../sql/find-effect.js';
import { forgetWorkers } from '../sql/forget-workers.js';
import { isCompleted } from '../sql/is-completed.js';
import { raiseAlerts } from '../sql/raise-alerts.js';
import { registerDefinitions } from '../sql/register-definitions.js';
import { releaseRuns } from '../sql/release-runs.js';
import { rescueRuns } from '../sql/rescue-runs.js';
import { saveProgress } from '../sql/save-progress.js';
import { snoozeRuns } from '../sql/snooze-runs.js';
import type { Queryable } from '../sql/sql.js';
import { confirmCancels } from '../sql/confirm-cancels.js';
import type { AbortColumns } from '../sql/fragments.js';
import { retainRuns } from '../maintenance/retain-runs.js';
import { systemClock } from '../clock.js';
import { BoundedClaims } from './bounded-claims.js';
import { POSTGRES_CAPABILITIES } from './postgres-capabilities.js';
import { LostWatch } from './lost-watch.js';
import type { SettledStatus, Settlement, AbortRecord } from '../ports/runs.js';
import type { Store } from '../ports/store.js';

/** How far ahead the daily partitions of the history are made; the hourly maintenance would have to fail for a week. */
const PARTITION_DAYS_AHEAD = 7;

/** How much later, at the most, a run that has ended is written, so that others share its statement. */
const SETTLE_GAP_MS = 5;

/** Two claims and two settlements on their way. */
const CONNECTIONS_OF_A_RUSH = 4;

/** The store on PostgreSQL, through whatever runs raw SQL: a worker gives it what `connectPg` makes. */
export function createPostgresStore({ db }: { db: Queryable }): Store {
  const bounded = new BoundedClaims(db, systemClock);
  const lost = new LostWatch(db, systemClock);
  return {
    capabilities: POSTGRES_CAPABILITIES,
    claim: (request) => bounded.claim(request),
    settleGapMs: SETTLE_GAP_MS,
    settle: (batch) => settle(db, batch),
    extendLeases: (batch) => extendLeases(db, batch),
    beginEffect: (request) => beginEffect(db, request),
    findEffect: (key) => findEffect(db, key),
    endEffect: (key, claim, ending) => endEffect(db, key, claim, ending),
    saveProgress: (id, fence, progressJson) => saveProgress(db, id, fence, progressJson),
    completeIn: async (tx, completion) => (await completeRuns(tx as Queryable, [completion])).length === 1,
    isCompleted: (id, fence) => isCompleted(db, id, fence),
    lookForLost: () => lost.look(),
    rescue: (limit, deadWorkers) => rescueRuns(db, limit, deadWorkers),
    forgetWorkers: (names) => forgetWorkers(db, names),
    prepare: async (catalog) => {
      await ensurePartitions(db, PARTITION_DAYS_AHEAD);
      await registerDefinitions(db, catalog);
      await warmUp(db);
    },
    retain: async (keepDays, signal) => ({
      made: await ensurePartitions(db, PARTITION_DAYS_AHEAD),
      dropped: await retainRuns(db, keepDays, signal),
    }),
    raiseAlerts: (limits) => raiseAlerts(db, limits),
  };
}

/**
 * Claims and settles nothing, on as many connections as a rush will want at once: to connect and to plan only then would cost
 * its first runs some 20 ms.
 */
async function warmUp(db: Queryable): Promise<void> {
  const nothing = { queue: '', leaseMsByType: new Map<string, number>(), worker: '', limit: 0 };
  const onEach = (send: () => Promise<unknown>): Promise<unknown> =>
    Promise.all(Array.from({ length: CONNECTIONS_OF_A_RUSH }, send));
  await onEach(() => claimRuns(db, nothing));
  await onEach(() => completeRuns(db, []));
}

type OfKind<K extends Settlement['kind']> = Extract<Settlement, { kind: K }>;

type Settled = readonly { readonly id: string; readonly status: SettledStatus }[];

async function settle(db: Queryable, batch: readonly Settlement[]): Promise<(SettledStatus | null)[]> {
  const settled = await settleOfOneKind(db, batch);
  // nearly always: nothing was lost of what has succeeded
  if (batch[0]?.kind === 'complete' && settled.length === batch.length) return batch.map(() => 'succeeded');
  const statusOf = new Map(settled.map(({ id, status }) => [id, status]));
  return batch.map(({ id }) => statusOf.get(id) ?? null);
}

/** One statement for the whole batch. */
async function settleOfOneKind(db: Queryable, group: readonly Settlement[]): Promise<Settled> {
  const [first] = group;
  if (first === undefined) return [];
  switch (first.kind) {
    case 'complete':
      return (await completeRuns(db, group as OfKind<'complete'>[])).map((id) => ({ id, status: 'succeeded' }));
    case 'bury':
      return withStatus('dead', await buryRuns(db, (group as OfKind<'bury'>[]).map(toFailedAttempt)));
    case 'fail':
      return failRuns(
        db,
        (group as OfKind<'fail'>[]).map((failed) => ({ ...toFailedAttempt(failed), delay_ms: failed.delayMs })),
      );
    case 'snooze':
      return snoozeRuns(
        db,
        (group as OfKind<'snooze'>[]).map(({ id, fence, delayMs }) => ({ id, fence, delay_ms: delayMs })),
      );
    case 'release':
      return releaseRuns(
        db,
        (group as OfKind<'release'>[]).map(({ id, fence, reason, abort }) => ({
          id,
          fence,
          reason,
          ...toAbortColumns(abort),
        })),
      );
    case 'confirm_cancel':
      return withStatus(
        'cancelled',
        await confirmCancels(
          db,
          (group as OfKind<'confirm_cancel'>[]).map(({ id, fence, by, reason, abort }) => ({
            id,
            fence,
            by,
            reason,
            ...toAbortColumns(abort),
          })),
        ),
      );
  }
}

function withStatus(status: SettledStatus, rows: readonly { id: string }[]): Settled {
  return rows.map(({ id }) => ({ id, status }));
}

function toFailedAttempt({ id, fence, error, abort }: OfKind<'fail'> | OfKind<'bury'>): FailedAttempt {
  const { code, type, message, stack } = error;
  return { id, fence, code, error_type: type, message, stack, ...toAbortColumns(abort) };
}

function toAbortColumns(abort: AbortRecord): AbortColumns {
  return { abort_code: abort?.code ?? null, abort_stage: abort?.stage ?? null };
}

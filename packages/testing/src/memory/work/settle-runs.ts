import type { JobAttempt } from '@duework/queue-core';
import {
  SNOOZE_LIMIT,
  UNCOUNTED_SNOOZES,
  type AbortRecord,
  type ErrorRecord,
  type SettledStatus,
  type Settlement,
} from '@duework/queue-core/ports';
import { toAttempt, type MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/**
 * The settlements of a handler that threw. If it has completed its run in its own transaction before, that transaction
 * counts as rolled back, because this store cannot know: better done twice than not at all.
 */
const THROWN: ReadonlySet<Settlement['kind']> = new Set<Settlement['kind']>([
  'fail',
  'bury',
  'release',
  'confirm_cancel',
]);

const REQUEUING: ReadonlySet<Settlement['kind']> = new Set<Settlement['kind']>(['fail', 'snooze', 'release', 'leave']);

/**
 * Writes settlements, each only while its fence is still the run's. Returns each run's new status; null: it was lost.
 */
export function settleRuns(tables: MemoryTables, batch: readonly Settlement[]): (SettledStatus | null)[] {
  for (const settlement of batch) refuseSpent(tables, settlement);
  return batch.map((settlement) => {
    const { id, fence } = settlement;
    const run = tables.owned(id, fence) ?? (THROWN.has(settlement.kind) ? tables.takeBack(id, fence) : undefined);
    return run === undefined ? null : settleRun(tables, run, settlement);
  });
}

function settleRun(tables: MemoryTables, run: MemoryRun, settlement: Settlement): SettledStatus {
  const nowMs = tables.nowMs();
  const record = (about: Pick<JobAttempt, 'outcome'> & Partial<JobAttempt>): void =>
    tables.record(run, toAttempt(run, nowMs, about));
  const requeues = REQUEUING.has(settlement.kind);
  // somebody asked to cancel it while it ran: it ends instead of going back
  if (requeues && run.cancelRequestedAtMs !== null) {
    record({ outcome: 'cancelled', errorMessage: run.cancelReason });
    tables.finish(run, 'cancelled', nowMs);
    return 'cancelled';
  }
  switch (settlement.kind) {
    case 'complete':
      run.resultJson = JSON.stringify(settlement.result) ?? null;
      if (settlement.logs !== undefined) record({ outcome: 'succeeded', logs: settlement.logs });
      tables.finish(run, 'succeeded', nowMs);
      return 'succeeded';
    case 'fail':
      record({ outcome: 'failed', ...failedColumns(settlement.error, settlement.abort) });
      writeError(run, settlement.error, nowMs);
      // what is tried behind a breaker that has opened costs the run nothing
      if (tables.gates.isTried(run)) run.attempts--;
      tables.wait(run, 'failed', nowMs + settlement.delayMs, tables.gates.gateToRetry(run));
      return 'failed';
    case 'bury':
      record({ outcome: 'failed', ...failedColumns(settlement.error, settlement.abort) });
      writeError(run, settlement.error, nowMs);
      tables.finish(run, 'dead', nowMs);
      return 'dead';
    case 'snooze':
      if (run.snoozes >= settlement.maxSnoozes) {
        const error = { ...SNOOZE_LIMIT, stack: null };
        record({ outcome: 'failed', ...failedColumns(error, null) });
        writeError(run, error, nowMs);
        tables.finish(run, 'dead', nowMs);
        return 'dead';
      }
      run.attempts--;
      if (settlement.maxSnoozes !== UNCOUNTED_SNOOZES) run.snoozes++;
      if (settlement.hasBegun !== false) run.snoozedAtMs = nowMs;
      tables.wait(run, 'queued', wakesAtMs(run, settlement, nowMs), tables.gates.gateToRetry(run));
      return 'queued';
    case 'release':
      record({
        outcome: 'interrupted',
        errorCode: 'released',
        errorMessage: settlement.reason ?? 'released before its handler began',
        ...abortColumns(settlement.abort),
      });
      run.attempts--;
      if (settlement.reason !== null) run.releases++;
      // due at once it keeps its gates, for the next worker
      tables.wait(run, 'queued', run.runAtMs, run.heldBy);
      return 'queued';
    case 'leave':
      run.attempts--;
      run.errorCode = settlement.error.code;
      run.errorType = settlement.error.type;
      run.lastError = settlement.error.message;
      tables.wait(run, 'queued', nowMs + settlement.delayMs, tables.gates.gateToRetry(run));
      return 'queued';
    case 'confirm_cancel':
      run.cancelRequestedAtMs ??= nowMs;
      run.cancelRequestedBy ??= settlement.by;
      run.cancelReason ??= settlement.reason;
      record({ outcome: 'cancelled', errorMessage: run.cancelReason, ...abortColumns(settlement.abort) });
      tables.finish(run, 'cancelled', nowMs);
      return 'cancelled';
  }
}

/** Of a run that waits for something, unless that has come while it ran. */
function wakesAtMs(
  run: MemoryRun,
  { delayMs, wakesAt }: Extract<Settlement, { kind: 'snooze' }>,
  nowMs: number,
): number {
  if (wakesAt === undefined) return nowMs + delayMs;
  run.suspendedFence = run.fence;
  return run.wokenFence === run.fence ? nowMs : Date.parse(wakesAt);
}

/** Throws when a run would wait without an attempt left; the whole batch is refused before any of it is written. */
function refuseSpent(tables: MemoryTables, { id, fence, kind }: Settlement): void {
  const run = tables.owned(id, fence) ?? tables.completedIn(id, fence);
  if (kind === 'fail' && run !== undefined && run.cancelRequestedAtMs === null && run.attempts >= run.maxAttempts) {
    throw new Error(`Run ${id} has no attempt left to wait for.`);
  }
}

function writeError(run: MemoryRun, error: ErrorRecord, nowMs: number): void {
  run.failedAtMs = nowMs;
  run.errorCode = error.code;
  run.errorType = error.type;
  run.lastError = error.message;
}

function failedColumns(error: ErrorRecord, abort: AbortRecord): Partial<JobAttempt> {
  const { code, type, message, stack, logs = null } = error;
  return { errorCode: code, errorType: type, errorMessage: message, errorStack: stack, logs, ...abortColumns(abort) };
}

function abortColumns(abort: AbortRecord): Pick<JobAttempt, 'abortCode' | 'abortStage'> {
  // a lease that was lost is never settled
  return { abortCode: (abort?.code ?? null) as JobAttempt['abortCode'], abortStage: abort?.stage ?? null };
}

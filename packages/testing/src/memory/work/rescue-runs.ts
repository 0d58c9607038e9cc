import { exponential } from '@duework/contracts';
import {
  computeBackoff,
  LOST_MESSAGE,
  RETRY_BUDGET_EXHAUSTED,
  type RescuedRun,
  type WhoseRuns,
} from '@duework/queue-core/ports';
import { toAttempt, type MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** The retry policy of a type that no worker has registered. */
const DEFAULT_RETRY = exponential({ base: '10s' });

export function hasExpired(tables: MemoryTables): boolean {
  const nowMs = tables.nowMs();
  for (const run of tables.running) if (run.lockedUntilMs! < nowMs) return true;
  return false;
}

/**
 * Gives back runs whose lease expired, or all runs of the `workers` that are named: due again at once, or after the
 * backoff of their type where the attempt before was lost too; dead when their attempts are used up, cancelled on
 * request. Without jitter, because all workers are in this process.
 */
export function rescueRuns(
  tables: MemoryTables,
  limit: number,
  { workers, expiredBeforeMs = Infinity }: WhoseRuns = {},
): RescuedRun[] {
  const nowMs = tables.nowMs();
  const lost = [...tables.running]
    .filter((run) => workers?.includes(run.worker!) ?? run.lockedUntilMs! < Math.min(nowMs, expiredBeforeMs))
    .sort((a, b) => a.lockedUntilMs! - b.lockedUntilMs!);
  return lost.slice(0, limit).map((run) => rescueRun(tables, run, nowMs));
}

function rescueRun(tables: MemoryTables, run: MemoryRun, nowMs: number): RescuedRun {
  const lost = { errorCode: 'worker_lost', errorType: 'LeaseExpired' } as const;
  const isSpent = run.attempts >= run.maxAttempts;
  const isLate = Date.parse(run.terms?.retryUntil ?? '') <= nowMs;
  const status = run.cancelRequestedAtMs !== null ? 'cancelled' : isSpent || isLate ? 'dead' : 'failed';
  const rescued: RescuedRun = { id: run.id, type: run.type, worker: run.worker!, attempt: run.attempts, status };
  const isRepeated = run.attempts > 1 && run.errorCode === lost.errorCode;
  const delayMs = isRepeated ? computeBackoff(tables.retryOf.get(run.type) ?? DEFAULT_RETRY, run.attempts, 0.5) : 0;
  tables.record(run, toAttempt(run, nowMs, { outcome: 'lost', ...lost, errorMessage: LOST_MESSAGE }));
  Object.assign(run, { ...lost, failedAtMs: nowMs, lastError: LOST_MESSAGE });
  if (status === 'dead' && !isSpent) run.errorCode = RETRY_BUDGET_EXHAUSTED;
  // due at once it keeps its gates, for the next worker
  const heldBy = isRepeated ? tables.gates.gateToRetry(run) : run.heldBy;
  if (status === 'failed') tables.wait(run, status, nowMs + delayMs, heldBy);
  else tables.finish(run, status, nowMs);
  return rescued;
}

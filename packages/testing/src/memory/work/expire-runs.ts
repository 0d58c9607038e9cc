import { DueworkError, findContract, jobRequest } from '@duework/queue-core';
import { EXPIRY, makeNewRun, type ExpiredRun } from '@duework/queue-core/ports';
import { insertRuns } from '../insert-runs.js';
import { isExpired, type MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Cancels runs that have not started in time, and enqueues what their contracts name for that. */
export function expireRuns(tables: MemoryTables, batch: number): { expired: ExpiredRun[]; isAll: boolean } {
  const nowMs = tables.nowMs();
  const due = [...tables.live.values()].filter((run) => run.status === 'queued' && isExpired(run, nowMs));
  const ended = due.slice(0, batch);
  for (const run of ended) {
    run.errorCode = EXPIRY.code;
    run.cancelRequestedAtMs = nowMs;
    run.cancelRequestedBy = EXPIRY.by;
    run.cancelReason = `It had not started in time: before ${run.terms!.expiresAt}`;
    tables.finish(run, 'cancelled', nowMs);
    if (run.terms!.onExpired !== undefined) tell(tables, run, run.terms!.onExpired);
  }
  return { expired: ended.map(({ id, type }) => ({ id, type })), isAll: due.length === ended.length };
}

/** A type that nobody knows, or whose contract refuses the payload, is not told. */
function tell(tables: MemoryTables, { id, type, payloadJson }: MemoryRun, told: string): void {
  const payload = { jobId: id, type, payload: JSON.parse(payloadJson) as unknown };
  try {
    const request = jobRequest(findContract(tables.catalog, told), payload, { idempotencyKey: `expired:${id}` });
    insertRuns(tables, [makeNewRun(request)]);
  } catch (error) {
    if (!(error instanceof DueworkError)) throw error;
  }
}

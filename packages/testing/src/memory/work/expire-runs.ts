import { EXPIRY, type ExpiredRun } from '@duework/queue-core/ports';
import { isExpired } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import { tellEnd } from './tell-end.js';

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
    const { id, type, payloadJson } = run;
    const isTold = tables.catalog.find((one) => one.type === type)?.sensitiveEver.length === 0;
    const payload = { jobId: id, type, ...(isTold ? { payload: JSON.parse(payloadJson) as unknown } : {}) };
    tellEnd(tables, run.terms!.onExpired, payload, `expired:${id}`);
  }
  return { expired: ended.map(({ id, type }) => ({ id, type })), isAll: due.length === ended.length };
}

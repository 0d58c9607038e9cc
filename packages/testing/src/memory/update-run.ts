import type { RunUpdate, UpdateAnswer } from '@duework/queue-core/ports';
import type { MemoryTables } from './memory-tables.js';

/** Changes a run that waits; null: it is not live. */
export function updateRun(tables: MemoryTables, id: string, update: RunUpdate): UpdateAnswer | null {
  const run = tables.live.get(id);
  if (run === undefined) return null;
  const { type, status, attempts } = run;
  const { payload, runAt, delayMs, priority, maxAttempts } = update;
  const isOther = payload !== null && payload.type !== type;
  if (status === 'running' || isOther || attempts >= (maxAttempts ?? run.maxAttempts))
    return { isUpdated: false, status, type, attempts };
  // where it stands in line follows from what is changed
  tables.waiting.remove(run);
  run.priority = priority ?? run.priority;
  run.maxAttempts = maxAttempts ?? run.maxAttempts;
  run.version = payload?.version ?? run.version;
  run.payloadJson = payload?.json ?? run.payloadJson;
  const dueMs = delayMs === null ? run.runAtMs : tables.nowMs() + delayMs;
  tables.wait(run, status === 'failed' ? 'failed' : 'queued', runAt === null ? dueMs : Date.parse(runAt));
  return { isUpdated: true, status, type, attempts };
}

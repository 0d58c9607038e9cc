import type { RunTerms, RunUpdate, UpdateAnswer } from '@duework/queue-core/ports';
import { hasStarted } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';

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
  const movedMs = (runAt === null ? dueMs : Date.parse(runAt)) - run.runAtMs;
  if (!hasStarted(run)) run.terms = moveTerms(run.terms, movedMs);
  tables.wait(run, status === 'failed' ? 'failed' : 'queued', runAt === null ? dueMs : Date.parse(runAt));
  return { isUpdated: true, status, type, attempts };
}

/** The moments that were agreed from the one at which it is due move with it. */
function moveTerms(terms: RunTerms | null, byMs: number): RunTerms | null {
  if (terms === null) return null;
  const move = (text: string): string => new Date(Date.parse(text) + byMs).toISOString();
  return {
    ...terms,
    ...(terms.expiresAt === undefined ? {} : { expiresAt: move(terms.expiresAt) }),
    ...(terms.retryUntil === undefined ? {} : { retryUntil: move(terms.retryUntil) }),
  };
}

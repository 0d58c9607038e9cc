import type { RunTerms, RunUpdate, UpdateAnswer } from '@duework/queue-core/ports';
import { isDeepStrictEqual } from 'node:util';
import { hasStarted, type MemoryRun } from '../tables/memory-run.js';
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
  tables.leave(run);
  run.priority = priority ?? run.priority;
  run.maxAttempts = maxAttempts ?? run.maxAttempts;
  run.version = payload?.version ?? run.version;
  run.payloadJson = payload?.json ?? run.payloadJson;
  const isMoved = runAt !== null || delayMs !== null;
  const heldBy = standAnew(run, payload, isMoved);
  const dueMs = delayMs === null ? run.runAtMs : tables.nowMs() + delayMs;
  const movedMs = (runAt === null ? dueMs : Date.parse(runAt)) - run.runAtMs;
  if (!hasStarted(run)) run.terms = moveTerms(run.terms, movedMs);
  tables.wait(run, status === 'failed' ? 'failed' : 'queued', runAt === null ? dueMs : Date.parse(runAt), heldBy);
  return { isUpdated: true, status, type, attempts };
}

/**
 * At which gate it waits now: at its first where its gates are others, or where a run that was let in gets another time.
 */
function standAnew(run: MemoryRun, payload: RunUpdate['payload'], isMoved: boolean): string | null {
  if (payload !== null) {
    const { gates = null, units = null } = payload.flow ?? {};
    const areSame = isDeepStrictEqual([gates, units], [run.gates, run.gateUnits]);
    Object.assign(run, { gates, gateUnits: units });
    if (!areSame) return gates?.[0] ?? null;
  }
  return isMoved && run.heldBy === null ? (run.gates?.[0] ?? null) : run.heldBy;
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

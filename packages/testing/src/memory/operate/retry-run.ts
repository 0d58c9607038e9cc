import type { Retry, RunTerms } from '@duework/queue-core/ports';
import { forgetSteps } from './forget-steps.js';
import { FREE } from '../tables/memory-run.js';
import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

/** What a finished run loses when it comes back. */
const UNSPENT = {
  attempts: 0,
  snoozes: 0,
  snoozedAtMs: null,
  releases: 0,
  acknowledgedAtMs: null,
  progressJson: null,
  resultJson: null,
  finishedAtMs: null,
} as const;

/**
 * An operator's "run it now", which also settles the run's unknown effects. The fence stays, because nothing may ever
 * lower it. false: refused.
 */
export function retryRun(tables: MemoryTables, id: string, { effectsHappened, fromStep }: Retry): boolean {
  const run = tables.find(id);
  if (run === undefined || run.status === 'running' || run.status === 'succeeded') return false;
  const isBack = tables.history.delete(id);
  if (isBack) tables.batches.returned(run, run.status as 'dead' | 'cancelled');
  if (isBack) Object.assign(run, { ...FREE, ...UNSPENT, terms: withoutTimes(run.terms) });
  if (fromStep !== null) forgetSteps(tables, id, fromStep);
  // one that was let in stays so
  // and one that is due keeps its place
  const dueMs = isBack ? tables.nowMs() : Math.min(run.runAtMs, tables.nowMs());
  tables.wait(run, 'queued', dueMs, isBack ? (run.gates?.[0] ?? null) : run.heldBy);
  for (const effect of tables.effects.get(keyOf(run.type, run.key ?? `run:${id}`))?.values() ?? []) {
    if (effect.runId === id && effect.status === 'unknown') effect.status = effectsHappened ? 'done' : 'approved';
  }
  return true;
}

/** A person wants it now, whatever time it had. */
function withoutTimes(terms: RunTerms | null): RunTerms | null {
  if (terms === null) return null;
  const { expiresAt: _, onExpired: __, retryUntil: ___, ...kept } = terms;
  return Object.keys(kept).length === 0 ? null : kept;
}

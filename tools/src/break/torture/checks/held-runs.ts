import type { Change } from '../observer/evidence.js';
import { groupBy } from './group-by.js';

const AROUND_MS = 1_000;

export interface HeldRun {
  readonly run: string;
  /** Null: the witness saw neither. */
  readonly goneOnAt: number | null;
  /** How long runs waited for a slot at that time, because those of a dead worker wait in the queue like any other. */
  readonly backlogMs: number;
}

/**
 * The claims that a worker held at a moment, as the witness saw it, and when each run continued: was claimed again, or
 * left for good.
 */
export function heldRuns(changes: readonly Change[], worker: string, at: number): HeldRun[] {
  const live = changes.filter(({ place }) => place === 'live');
  const waits = readWaits(live);
  const held: HeldRun[] = [];
  for (const [run, list] of groupBy(live, ({ run }) => run)) {
    const claim = list.findLast((change) => change.at <= at);
    if (claim?.to !== 'running' || claim.newWorker !== worker) continue;
    const fence = claim.newFence ?? 0;
    const later = list.filter((change) => change.at > at);
    // a run that was cancelled meanwhile has left; an operator may start it again much later
    const next = later.find(({ to, newFence }) => to === null || (to === 'running' && (newFence ?? 0) > fence));
    const around =
      next === undefined ? [] : waits.filter((wait) => Math.abs(wait.at - next.at) < AROUND_MS).map(({ ms }) => ms);
    held.push({ run, goneOnAt: next?.at ?? null, backlogMs: Math.max(0, ...around) });
  }
  return held;
}

/** The time from made to claimed, of every run at its first claim. */
export function readWaits(live: readonly Change[]): { readonly at: number; readonly ms: number }[] {
  const madeAt = new Map<string, number>();
  const waits: { at: number; ms: number }[] = [];
  for (const { run, from, to, at } of live) {
    if (from === null && to === 'queued') madeAt.set(run, at);
    const made = madeAt.get(run);
    if (to !== 'running' || made === undefined) continue;
    waits.push({ at, ms: at - made });
    madeAt.delete(run);
  }
  return waits;
}

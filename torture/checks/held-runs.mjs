import { groupBy } from './group-by.mjs';

const AROUND_MS = 1_000;

/**
 * The claims that a worker held at a moment, as the witness saw it, and when each went on: was claimed again, or left for good.
 *
 * @returns {{ run: string, goneOnAt: number | null, backlogMs: number }[]} `goneOnAt` null: neither was seen; `backlogMs`: how long
 * runs waited at that time for a slot, because those of a dead worker queue up like everybody else's
 */
export function heldRuns(changes, worker, at) {
  const live = changes.filter(({ place }) => place === 'live');
  const waits = readWaits(live);
  const held = [];
  for (const [run, list] of groupBy(live, ({ run }) => run)) {
    const claim = list.findLast((change) => change.at <= at);
    if (claim?.to !== 'running' || claim.newWorker !== worker) continue;
    const later = list.filter((change) => change.at > at);
    // one that was cancelled meanwhile left; an operator may start it again, much later
    const next = later.find(({ to, newFence }) => to === null || (to === 'running' && newFence > claim.newFence));
    const around =
      next === undefined ? [] : waits.filter((wait) => Math.abs(wait.at - next.at) < AROUND_MS).map(({ ms }) => ms);
    held.push({ run, goneOnAt: next?.at ?? null, backlogMs: Math.max(0, ...around) });
  }
  return held;
}

/** From made to claimed, of every run at its first claim. */
export function readWaits(live) {
  const madeAt = new Map();
  const waits = [];
  for (const { run, from, to, at } of live) {
    if (from === null && to === 'queued') madeAt.set(run, at);
    if (to !== 'running' || !madeAt.has(run)) continue;
    waits.push({ at, ms: at - madeAt.get(run) });
    madeAt.delete(run);
  }
  return waits;
}

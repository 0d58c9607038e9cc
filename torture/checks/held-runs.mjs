import { groupBy } from './group-by.mjs';

/**
 * The claims that a worker held at a moment, as the witness saw it; for each, when its run was claimed again, or left for good
 * (null: neither was seen).
 */
export function heldRuns(changes, worker, at) {
  const held = [];
  for (const [run, list] of groupBy(changes.filter(({ place }) => place === 'live'), ({ run }) => run)) {
    const claim = list.findLast((change) => change.at <= at);
    if (claim?.to !== 'running' || claim.newWorker !== worker) continue;
    const later = list.filter((change) => change.at > at);
    const next = later.find(({ to, newFence }) => to === 'running' && newFence > claim.newFence) ?? later.find(({ to }) => to === null);
    held.push({ run, goneOnAt: next?.at ?? null });
  }
  return held;
}

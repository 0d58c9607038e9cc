import type { MemoryRun } from '../../memory/tables/memory-run.js';

/** What was last seen of a run; at which gate it waits changes without anybody naming it. */
export type Seen = Pick<
  MemoryRun,
  | 'status'
  | 'heldBy'
  | 'fence'
  | 'attempts'
  | 'worker'
  | 'lockedUntilMs'
  | 'runAtMs'
  | 'isCompletedIn'
  | 'cancelRequestedAtMs'
  | 'finishedAtMs'
>;

export function copySeen({
  status,
  heldBy,
  fence,
  attempts,
  worker,
  lockedUntilMs,
  runAtMs,
  isCompletedIn,
  cancelRequestedAtMs,
  finishedAtMs,
}: MemoryRun): Seen {
  return {
    status,
    heldBy,
    fence,
    attempts,
    worker,
    lockedUntilMs,
    runAtMs,
    isCompletedIn,
    cancelRequestedAtMs,
    finishedAtMs,
  };
}

export function isUnchanged(before: Seen, run: MemoryRun): boolean {
  return (
    before.status === run.status &&
    before.fence === run.fence &&
    before.attempts === run.attempts &&
    before.worker === run.worker &&
    before.lockedUntilMs === run.lockedUntilMs &&
    before.runAtMs === run.runAtMs &&
    before.isCompletedIn === run.isCompletedIn &&
    before.cancelRequestedAtMs === run.cancelRequestedAtMs
  );
}

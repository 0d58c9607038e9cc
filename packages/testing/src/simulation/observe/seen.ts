import type { MemoryRun } from '../../memory/tables/memory-run.js';

/** What was last seen of a run. */
export type Seen = Pick<
  MemoryRun,
  'status' | 'fence' | 'attempts' | 'worker' | 'lockedUntilMs' | 'runAtMs' | 'isCompletedIn' | 'cancelRequestedAtMs'
>;

export function copySeen({
  status,
  fence,
  attempts,
  worker,
  lockedUntilMs,
  runAtMs,
  isCompletedIn,
  cancelRequestedAtMs,
}: MemoryRun): Seen {
  return { status, fence, attempts, worker, lockedUntilMs, runAtMs, isCompletedIn, cancelRequestedAtMs };
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

import type { Clock } from '../clock.js';

/** How long a worker's lock has to be missing, at every check, before the worker counts as vanished. */
export const GRACE_MS = 2_000;
/** The same after a check that failed: the database may have moved, and not every worker finds it at the same time. */
const OUTAGE_GRACE_MS = 10_000;
/** How long after the last failed check the longer grace applies. */
const OUTAGE_MS = 30_000;
/** Between two checks further apart than this a worker may have come and gone, so absences count anew. */
const MAX_GAP_MS = 2_500;

/**
 * Which workers have been missing, and for how long. A lock is missing for a moment after every cut connection, and all
 * locks are after a restart of the database: so a worker has vanished only when it was missing at every check for the
 * whole grace, on this process's monotonic clock. An absence counts from the answer of its first check to the question
 * of its last one, so a process or a check that was stalled can only make the grace longer.
 */
export class Absences {
  #sinceMs: ReadonlyMap<string, number> = new Map();
  #askedMs = -Infinity;
  #failedMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Takes the answer of a check that was sent at `askedMs`. Returns the workers that have vanished. */
  observe(missing: readonly string[], askedMs: number): string[] {
    const nowMs = this.clock.monotonicMs();
    const known = nowMs - this.#askedMs > MAX_GAP_MS ? new Map<string, number>() : this.#sinceMs;
    this.#sinceMs = new Map(missing.map((name) => [name, known.get(name) ?? nowMs]));
    this.#askedMs = askedMs;
    return missing.filter((name) => askedMs - this.#sinceMs.get(name)! >= this.graceMs);
  }

  /** Forgets all absences after a failed check: the database may have been away, and every worker's lock with it. */
  forget(): void {
    this.#sinceMs = new Map();
    this.#failedMs = this.clock.monotonicMs();
  }

  /** How long whoever seems to be lost has to seem so at the moment. */
  get graceMs(): number {
    return this.clock.monotonicMs() - this.#failedMs < OUTAGE_MS ? OUTAGE_GRACE_MS : GRACE_MS;
  }

  get isEmpty(): boolean {
    return this.#sinceMs.size === 0;
  }
}

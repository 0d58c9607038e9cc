import type { Clock } from '../clock.js';

/** How long a worker's lock has to be missing, at every look, before the worker is taken for dead. */
export const GRACE_MS = 2_000;
/** The same after a look that failed: the database may have moved, and not everybody finds it at the same time. */
const OUTAGE_GRACE_MS = 10_000;
/** For so long after the last look that failed. */
const OUTAGE_MS = 30_000;
/** Nothing is known of what happened between two looks that are further apart. */
const MAX_GAP_MS = 2_500;

/**
 * Which workers have been missing, and for how long. A lock is missing for a moment after every cut connection, and all are
 * after a restart of the database: so a worker is dead only when it was missing at every look for the whole grace, on this
 * process's monotonic clock. Each look counts from its answer when it begins an absence and up to its question when it
 * ends one, so a process that was stalled, or a look that was, can only make the grace longer.
 */
export class Absences {
  #sinceMs: ReadonlyMap<string, number> = new Map();
  #askedMs = -Infinity;
  #failedMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** A look has just been answered, which was asked at `askedMs`. Returns who is dead. */
  observe(missing: readonly string[], askedMs: number): string[] {
    const nowMs = this.clock.monotonicMs();
    const known = nowMs - this.#askedMs > MAX_GAP_MS ? new Map<string, number>() : this.#sinceMs;
    this.#sinceMs = new Map(missing.map((name) => [name, known.get(name) ?? nowMs]));
    this.#askedMs = askedMs;
    // guard: absence-outage
    const graceMs = nowMs - this.#failedMs < OUTAGE_MS ? OUTAGE_GRACE_MS : GRACE_MS;
    // guard end: absence-outage
    // guard: absence-grace
    return missing.filter((name) => askedMs - this.#sinceMs.get(name)! >= graceMs);
    // guard end: absence-grace
  }

  /** A look has failed: the database may have been away, and everybody's lock with it. */
  forget(): void {
    this.#sinceMs = new Map();
    this.#failedMs = this.clock.monotonicMs();
  }

  get isEmpty(): boolean {
    return this.#sinceMs.size === 0;
  }
}

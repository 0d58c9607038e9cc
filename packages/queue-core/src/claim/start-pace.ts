/**
 * Within this time all should start that a worker holds: half of the second for which a lease counts before its run
 * starts (`hold-lease.ts`), and after which a run that waits is given back (`start-runs.ts`).
 */
const START_WITHIN_MS = 500;

/**
 * So many are claimed ahead all the same: smaller claims cost the server more for each run, and where it is slow to answer
 * already, that would make it slower.
 */
const LEAST = 100;
/** Fewer tell nothing: most of their time is that of the claim. */
const FEWEST = 50;

/** The run whose start is timed: the last one that waited when its claim was answered. */
interface Mark {
  /** How many have started when it has. */
  readonly at: number;
  readonly sentMs: number;
  readonly startedThen: number;
}

/**
 * How many runs a worker has started lately in which time, from when a claim is sent until its last run starts. The time
 * that handlers take does not tell it: where processes wait for a processor, handlers of no time start late, too. What is
 * claimed all the same would be renewed, given back, and taken again by the next one.
 *
 * A worker that has nothing to start for a while looks slower than it is, by the time of a claim.
 */
export class StartPace {
  #startedCount = 0;
  #most = Infinity;
  #mark: Mark | null = null;

  /** How many have started so far. */
  get startedCount(): number {
    return this.#startedCount;
  }

  /** So many start in time, as far as is known, and a hundred at least; Infinity: nothing is known yet. */
  get most(): number {
    return this.#most;
  }

  /** A claim is answered, and `waiting` runs wait with it. It was sent at `sentMs`, when `startedThen` had started. */
  claimed(waiting: number, sentMs: number, startedThen: number): void {
    if (waiting > 0) this.#mark ??= { at: this.#startedCount + waiting, sentMs, startedThen };
  }

  /** Takes note of each start, in the order in which runs wait. */
  started(nowMs: number): void {
    this.#startedCount++;
    const mark = this.#mark;
    if (mark === null || this.#startedCount < mark.at) return;
    this.#mark = null;
    const count = mark.at - mark.startedThen;
    if (count < FEWEST) return;
    this.#most = Math.max(LEAST, (count * START_WITHIN_MS) / Math.max(0, nowMs - mark.sentMs));
  }

  /** Some that wait are taken away: the run whose start was timed may be one of them. */
  forget(): void {
    this.#mark = null;
  }
}

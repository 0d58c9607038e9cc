/**
 * So long may letting in and claiming take together, in ms: whoever comes meanwhile waits for that, and then for its own
 * turn. A long one takes more runs of a tenant with many, and makes the first run of another wait.
 */
const CYCLE_MS = 12;
/** Fewer would cost more statements than they are worth. */
const LEAST = 32;
const MOST = 2_000;

/** How many turns a claim takes at once: as many as have lately fitted into `CYCLE_MS`. */
export class TurnPace {
  #room = 4 * LEAST;

  room(limit: number): number {
    return Math.min(limit, this.#room);
  }

  /** What a cycle that was given `room` turns has taken, and how long. */
  learn(room: number, claimed: number, tookMs: number): void {
    // one that was not full says nothing of what a full one takes
    if (claimed < room) return;
    const next = tookMs > CYCLE_MS ? Math.floor((room * CYCLE_MS) / tookMs) : Math.ceil(room * 1.25);
    this.#room = Math.min(MOST, Math.max(LEAST, next));
  }
}

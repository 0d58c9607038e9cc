import type { Clock } from '../clock.js';
import type { Alarm } from './alarm.js';

/** How long the chosen worker has to claim the run. */
const HEAD_START_MS = 10;
/** Most looks find nothing, because the chosen worker has claimed: after such a look, none is made for this long. */
const PAUSE_MS = 2_000;

/**
 * Looks whether the workers that were chosen have claimed what they were told of: one of them may have died, or its
 * event loop may stand still.
 */
export class SpareLook {
  #lookedMs = -Infinity;
  #cancel: (() => void) | null = null;
  #doubt = (): void => {};

  constructor(
    private readonly clock: Clock,
    private readonly alarm: Alarm,
  ) {}

  /** Looks soon. `doubt` is called where that finds something. */
  plan(doubt: () => void): void {
    this.#doubt = doubt;
    if (this.#cancel !== null) return;
    const waitMs = Math.max(HEAD_START_MS, this.#lookedMs + PAUSE_MS - this.clock.monotonicMs());
    this.#cancel = this.clock.after(waitMs, () => {
      this.#cancel = null;
      this.#lookedMs = this.clock.monotonicMs();
      this.alarm.ring('spare');
    });
  }

  /** Somebody is gone or stands still: the next looks do not pause. */
  found(): void {
    this.#lookedMs = -Infinity;
    this.#doubt();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

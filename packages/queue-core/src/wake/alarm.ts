import type { Clock } from '../clock.js';

/**
 * What a ring asks for, from the least to the most. `spare`: a look whether another worker has claimed. `once`: one claim,
 * nothing was left out. `later`: a claim that finds nothing, because it says when the next run is due. `often`: claims for
 * a while.
 */
const LOOKS = ['spare', 'once', 'later', 'often'] as const;
export type Look = (typeof LOOKS)[number];

/** Cuts a wait short. A ring between `mark` and `wait` is not lost: it cuts the wait that follows. */
export class Alarm {
  #rings = 0;
  #end: (() => void) | null = null;
  #look: Look | null = null;
  #decliners: (() => void)[] = [];

  /** `decline` is called where nobody takes the ring up. */
  ring(look: Look = 'often', decline?: () => void): void {
    this.#rings++;
    if (this.#look === null || LOOKS.indexOf(look) > LOOKS.indexOf(this.#look)) this.#look = look;
    if (decline !== undefined) this.#decliners.push(decline);
    this.#end?.();
  }

  mark(): number {
    return this.#rings;
  }

  /** Takes up the rings until now: the most that one of them asked for (null: none rang), and how each is declined. */
  take(): { readonly look: Look | null; readonly decliners: readonly (() => void)[] } {
    const taken = { look: this.#look, decliners: this.#decliners };
    this.#look = null;
    this.#decliners = [];
    return taken;
  }

  /** Nobody takes up the rings until now; they count for later claims all the same. */
  decline(): void {
    for (const decline of this.#decliners.splice(0)) decline();
  }

  /**
   * Waits until `ms` are over or the alarm rings. true: it rang, now or since `mark`. Only one caller waits at a time.
   */
  async wait(mark: number, ms: number, clock: Clock): Promise<boolean> {
    if (this.#rings !== mark) return true;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      this.#end = () => {
        cancel();
        resolve();
      };
    });
    this.#end = null;
    return this.#rings !== mark;
  }
}

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

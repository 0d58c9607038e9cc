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

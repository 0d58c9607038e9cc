import type { Clock } from '../clock.js';

/** Cuts a wait short. A ring between `mark` and `wait` is not lost: it cuts the wait that follows. */
export class Alarm {
  #rings = 0;
  #end: (() => void) | null = null;

  ring(): void {
    this.#rings++;
    this.#end?.();
  }

  mark(): number {
    return this.#rings;
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

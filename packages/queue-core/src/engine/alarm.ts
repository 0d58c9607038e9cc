import { pause, type Clock } from '../clock.js';

/** Cuts a wait short. What rings between `mark` and `wait` is not lost: it cuts the wait that follows. */
export class Alarm {
  #rings = 0;
  #waiting: AbortController | null = null;

  ring(): void {
    this.#rings++;
    this.#waiting?.abort();
  }

  mark(): number {
    return this.#rings;
  }

  /** Until `ms` are over, it rings, or has rung since `mark` (then true), or `signal` aborts. One waits at a time. */
  async wait(mark: number, ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || this.#rings !== mark) return this.#rings !== mark;
    const waiting = new AbortController();
    this.#waiting = waiting;
    const cut = (): void => waiting.abort();
    signal.addEventListener('abort', cut, { once: true });
    await pause(clock, ms, waiting.signal);
    signal.removeEventListener('abort', cut);
    this.#waiting = null;
    return this.#rings !== mark;
  }
}

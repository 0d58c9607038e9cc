import { soon, type Clock } from '../clock.js';

/**
 * Tells when an attempt has nothing to do but wait: something is waited for, and nothing else that its handler has asked for
 * has been on its way for a whole turn of the event loop, in which it could have asked for more.
 */
export class IdleWatch {
  #going = 0;
  #parked = 0;
  #wakesAtMs = Infinity;
  #turn = 0;
  #tell: (wakesAtMs: number) => void = () => {};
  /** Resolves with the first moment at which something waited for ends by itself; Infinity: nothing does. */
  readonly isIdle = new Promise<number>((resolve) => (this.#tell = resolve));

  constructor(private readonly clock: Clock) {}

  /** Something that has been asked for goes on until this has ended. */
  async follow<T>(work: Promise<T>): Promise<T> {
    this.#going++;
    try {
      return await work;
    } finally {
      this.#going--;
      this.#lookSoon();
    }
  }

  /** One that goes on waits from now on. */
  park(wakesAtMs: number): void {
    this.#going--;
    this.#parked++;
    this.#wakesAtMs = Math.min(this.#wakesAtMs, wakesAtMs);
    this.#lookSoon();
  }

  #lookSoon(): void {
    const turn = ++this.#turn;
    if (this.#going > 0 || this.#parked === 0) return;
    soon(this.clock, () => {
      if (turn === this.#turn && this.#going === 0) this.#tell(this.#wakesAtMs);
    });
  }
}

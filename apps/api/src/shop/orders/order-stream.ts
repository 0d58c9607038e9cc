import { setTimeout as wait } from 'node:timers/promises';

export interface OrderStreamOptions {
  /** Places orders that are paid at once. */
  readonly place: (count: number) => Promise<unknown>;
  /** They could not be placed; the next ones are tried all the same. */
  readonly onFailed: (error: Error) => void;
  /** In [0, 1). */
  readonly random: () => number;
  /** How long there is nothing to do between orders, on average. Default: 3 s. */
  readonly meanMs?: number;
}

/** The pace goes up and down between these, so that a chart of it has hills. */
const SLOWEST = 0.4;
const FASTEST = 2.5;
/** Sometimes a few come together. */
const GROUP_SHARE = 0.08;
const GROUP = 6;

/** Orders that come in by themselves, gently and unevenly, so that there is something to look at. It can be stopped and started. */
export class OrderStream {
  readonly #options: OrderStreamOptions;
  #stopping: AbortController | null = null;
  #over: Promise<void> = Promise.resolve();

  constructor(options: OrderStreamOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#stopping !== null;
  }

  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    this.#over = this.#placeUntil(this.#stopping.signal);
  }

  /** Resolves once nothing of it is on its way any more. */
  stop(): Promise<void> {
    this.#stopping?.abort();
    this.#stopping = null;
    return this.#over;
  }

  async #placeUntil(signal: AbortSignal): Promise<void> {
    const { place, onFailed, random, meanMs = 3_000 } = this.#options;
    for (let pace = 1; ;) {
      pace = Math.min(FASTEST, Math.max(SLOWEST, pace * (0.8 + 0.45 * random())));
      // as customers come: independently of each other
      await wait((-Math.log(1 - random()) * meanMs) / pace, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const count = random() < GROUP_SHARE ? 2 + Math.floor(random() * GROUP) : 1;
      await place(count).catch(onFailed);
    }
  }
}

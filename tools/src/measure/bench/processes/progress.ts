import { setTimeout as pause } from 'node:timers/promises';

/** A system that handles no job for so long has failed. */
const PATIENCE_MS = 20_000;

/** How many jobs the workers of one measurement have handled, as far as they have reported. */
export class Progress {
  readonly #done: number[];
  #changedMs = performance.now();
  #changed = (): void => {};

  constructor(
    workers: number,
    /** The name for messages. */
    private readonly name: string,
  ) {
    this.#done = Array.from({ length: workers }, () => 0);
  }

  get total(): number {
    return this.#done.reduce((sum, each) => sum + each, 0);
  }

  /** Records how many jobs a worker has handled in all. */
  note(worker: number, done: number): void {
    this.#done[worker] = done;
    this.restart();
    this.#changed();
  }

  /** Starts the time limit; returns the moment, in ms as `performance.now()`. */
  restart(): number {
    return (this.#changedMs = performance.now());
  }

  /** Resolves when a worker has reported, or after a while; the caller then checks. */
  async next(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => (this.#changed = resolve)), pause(PATIENCE_MS / 4)]);
  }

  /** @throws Error when no worker has reported for 20 s */
  checkPatience(jobs: number): void {
    if (performance.now() - this.#changedMs < PATIENCE_MS) return;
    throw new Error(`${this.name}: stuck for ${PATIENCE_MS / 1_000} s, ${this.total} of ${jobs} jobs handled.`);
  }
}

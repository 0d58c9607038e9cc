import { setTimeout as pause } from 'node:timers/promises';

/** A system that gets nothing done for so long will not. */
const PATIENCE_MS = 20_000;

/** How many jobs the workers of one measurement have handled, as far as they have told. */
export class Progress {
  readonly #done: number[];
  #changedMs = performance.now();
  #changed = (): void => {};

  constructor(
    workers: number,
    /** For messages. */
    private readonly name: string,
  ) {
    this.#done = Array.from({ length: workers }, () => 0);
  }

  get total(): number {
    return this.#done.reduce((sum, each) => sum + each, 0);
  }

  /** A worker has told how many it has handled in all. */
  note(worker: number, done: number): void {
    this.#done[worker] = done;
    this.restart();
    this.#changed();
  }

  /** Patience begins now; returns the moment, in ms as `performance.now()`. */
  restart(): number {
    return (this.#changedMs = performance.now());
  }

  /** Resolves when something was told, or after a while; the caller looks. */
  async next(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => (this.#changed = resolve)), pause(PATIENCE_MS / 4)]);
  }

  /** @throws Error when nothing was told for 20 s */
  checkPatience(jobs: number): void {
    if (performance.now() - this.#changedMs < PATIENCE_MS) return;
    throw new Error(`${this.name}: stuck for ${PATIENCE_MS / 1_000} s, ${this.total} of ${jobs} jobs handled.`);
  }
}

/** Counts workflows that have ended, for systems whose workers run them by themselves. */
export class EndCount {
  #ended = 0;
  #wanted = 0;
  #tell = (): void => {};

  end(): void {
    this.#ended += 1;
    if (this.#ended === this.#wanted) this.#tell();
  }

  /** Begins some with `begin`, and resolves once `count` more have ended. */
  async until(count: number, begin: () => Promise<unknown>): Promise<void> {
    this.#wanted = this.#ended + count;
    const ended = new Promise<void>((resolve) => (this.#tell = resolve));
    await begin();
    await ended;
  }
}

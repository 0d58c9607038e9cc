/** In which order hosts are tried: the one that last worked comes first, because a new primary stays one for long. */
export class HostOrder {
  #first = 0;

  constructor(private readonly count: number) {}

  /** Their numbers, each once. */
  list(): number[] {
    return Array.from({ length: this.count }, (_, nth) => (this.#first + nth) % this.count);
  }

  worked(host: number): void {
    this.#first = host;
  }
}

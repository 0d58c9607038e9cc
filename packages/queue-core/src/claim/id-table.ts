/** A class, not a literal: V8 may allocate literals that outlive their turn in its old generation from the start. */
class Entry<T> {
  constructor(
    readonly id: string,
    public value: T,
    public next: Entry<T> | null,
  ) {}
}

/**
 * A map from the ids of runs, for thousands that come and go in a second. A `Map` rebuilds its table after so many
 * deletions, and each old table points to the next: once V8 has moved one to its old generation, all later ones follow,
 * with every run that was in them. Major collections of such garbage took a quarter of a worker's processor time.
 *
 * It is a hash table with chains, which grows and never shrinks. Ids are consecutive numbers, so their last digits
 * spread them.
 */
export class IdTable<T> {
  #chains: (Entry<T> | null)[] = Array.from({ length: 1_024 }, () => null);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): T | undefined {
    return this.#find(id, this.#placeOf(id))?.value;
  }

  /** Sets the value of an id. Returns the value it replaces; undefined: there was none. */
  set(id: string, value: T): T | undefined {
    const place = this.#placeOf(id);
    const entry = this.#find(id, place);
    if (entry !== null) {
      const before = entry.value;
      entry.value = value;
      return before;
    }
    this.#chains[place] = new Entry(id, value, this.#chains[place]!);
    this.#size++;
    if (this.#size > this.#chains.length) this.#grow();
    return undefined;
  }

  /** Deletes the id, unless another value has replaced `value`. */
  delete(id: string, value: T): void {
    const place = this.#placeOf(id);
    let before: Entry<T> | null = null;
    let entry = this.#chains[place] ?? null;
    while (entry !== null && entry.id !== id) {
      before = entry;
      entry = entry.next;
    }
    if (entry === null || entry.value !== value) return;
    if (before === null) this.#chains[place] = entry.next;
    else before.next = entry.next;
    // an old deleted entry must not keep the next one alive, as the tables of a `Map` do
    entry.next = null;
    this.#size--;
  }

  *values(): Generator<T> {
    for (const first of this.#chains) for (let entry = first; entry !== null; entry = entry.next) yield entry.value;
  }

  #find(id: string, place: number): Entry<T> | null {
    let entry = this.#chains[place] ?? null;
    while (entry !== null && entry.id !== id) entry = entry.next;
    return entry;
  }

  #placeOf(id: string): number {
    let digits = 0;
    for (let at = Math.max(0, id.length - 4); at < id.length; at++) digits = digits * 10 + id.charCodeAt(at) - 48;
    return digits & (this.#chains.length - 1);
  }

  #grow(): void {
    const chains = this.#chains;
    this.#chains = Array.from({ length: chains.length * 2 }, () => null);
    for (const first of chains) {
      for (let entry = first; entry !== null;) {
        const { next } = entry;
        const place = this.#placeOf(entry.id);
        entry.next = this.#chains[place]!;
        this.#chains[place] = entry;
        entry = next;
      }
    }
  }
}

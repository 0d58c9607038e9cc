/** An item of a heap, which knows its place there, so that it can be taken out of the middle. -1: it is in no heap. */
export interface Placed {
  place: number;
}

/**
 * A binary heap: gives the first item in the order of `isBefore` at once, and makes every change in logarithmic time.
 */
export class Heap<T extends Placed> {
  readonly #items: T[] = [];

  constructor(private readonly isBefore: (left: T, right: T) => boolean) {}

  get size(): number {
    return this.#items.length;
  }

  first(): T | undefined {
    return this.#items[0];
  }

  has(item: T): boolean {
    return this.#items[item.place] === item;
  }

  add(item: T): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** The item must be in this heap. */
  remove(item: T): void {
    const last = this.#items.pop()!;
    if (last !== item) {
      this.#rise(last, item.place);
      this.#sink(last, last.place);
    }
    item.place = -1;
  }

  #rise(item: T, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = this.#items[(place - 1) >> 1]!;
      if (!this.isBefore(item, parent)) break;
      this.#put(parent, place);
      place = (place - 1) >> 1;
    }
    this.#put(item, place);
  }

  #sink(item: T, from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const right = this.#items[left + 1];
      const child = right !== undefined && this.isBefore(right, this.#items[left]!) ? left + 1 : left;
      if (child >= this.#items.length || !this.isBefore(this.#items[child]!, item)) break;
      const parentPlace = place;
      place = child;
      this.#put(this.#items[child]!, parentPlace);
    }
    this.#put(item, place);
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    item.place = place;
  }
}

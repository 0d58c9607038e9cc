/**
 * An id of this store. It is no number, so that whatever takes ids for numbers fails here before it meets another store.
 */
export function toId(number: number): string {
  return `m${number}`;
}

/** The number of an id; null: it is none of this store's. */
export function numberOf(id: string): number | null {
  return typeof id === 'string' && /^m[1-9]\d{0,14}$/.test(id) ? Number(id.slice(1)) : null;
}

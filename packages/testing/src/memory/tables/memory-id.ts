/**
 * An id of this store. It is not a number, so that code that takes ids for numbers fails here first.
 */
export function toId(number: number): string {
  return `m${number}`;
}

/** The number of an id; null: the text is no id of this store. */
export function numberOf(id: string): number | null {
  return typeof id === 'string' && /^m[1-9]\d{0,14}$/.test(id) ? Number(id.slice(1)) : null;
}

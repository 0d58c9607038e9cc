/**
 * The path of a text, a number or a boolean of the payload: names with points between them, `'accountId'`,
 * `'customer.id'`, never an element of an array. Typed five levels deep; deeper or untyped paths are any text, checked
 * when the contract is defined.
 */
export type FlowPath<T, TLevels extends 0[] = []> = TLevels['length'] extends 5
  ? string
  : unknown extends T
    ? string
    : PathsOf<T, TLevels>;

/** Distributes over unions, so that a path of any of their members is one. */
type PathsOf<T, TLevels extends 0[]> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]-?: string extends K ? string : PathsBelow<K, T[K], TLevels> }[keyof T & string]
    : never;

type PathsBelow<K extends string, V, TLevels extends 0[]> = unknown extends V
  ? K | `${K}.${string}`
  : V extends string | number | boolean
    ? K
    : V extends object
      ? `${K}.${FlowPath<V, [...TLevels, 0]>}`
      : never;

/**
 * A path as its names; null: it is none. A name that looks like a number is none, because SQL would take it for the place
 * of an element in an array.
 */
export function readFlowPath(path: unknown): readonly string[] | null {
  if (typeof path !== 'string' || path.length > 200) return null;
  const names = path.split('.');
  return names.every((name) => name !== '' && !/^\s*[+-]?\d/.test(name)) ? names : null;
}

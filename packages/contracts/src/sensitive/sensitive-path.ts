/**
 * The path of a sensitive value, as RFC 6901 writes it, with `*` for every element of an array and every key of a
 * record: `/iban`, `/customer/email`, and for the numbers of all cards `/cards/`, a star and `/number`; the empty text
 * is the whole.
 *
 * Typed five levels deep; deeper or untyped paths are any text, checked when the contract is defined.
 */
export type SensitivePath<T, TLevels extends 0[] = []> = TLevels['length'] extends 5
  ? string
  : IsUnknown<T> extends true
    ? string
    : '' | StepsInto<T, TLevels>;

/** Distributes over unions, so that a path of any of their members is one. */
type StepsInto<T, TLevels extends 0[]> = T extends readonly (infer TItem)[]
  ? `/*${SensitivePath<TItem, [...TLevels, 0]>}`
  : T extends object
    ? { [K in keyof T & string]-?: `/${string extends K ? '*' : K}${SensitivePath<T[K], [...TLevels, 0]>}` }[keyof T &
        string]
    : never;

type IsUnknown<T> = unknown extends T ? true : false;

/** A path as its parts, for programs. */
export type PathParts = readonly string[];

/** The parts of a path; null: it is none. */
export function readPath(path: string): PathParts | null {
  if (typeof path !== 'string') return null;
  if (path === '') return [];
  if (!path.startsWith('/')) return null;
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

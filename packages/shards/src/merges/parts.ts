/** What one shard has answered; its name is before its ids already. */
export interface Part<T> {
  readonly shard: string;
  readonly answer: T;
}

/** As it is in a process, or as it is sent. */
export type Moment = Date | string;

export const answersOf = <T>(parts: readonly Part<T>[]): T[] => parts.map(({ answer }) => answer);

/** The rows of all shards, each with the shard that it is of. */
export const tagged = <T extends object>(parts: readonly Part<readonly T[]>[]): (T & { readonly shard: string })[] =>
  parts.flatMap(({ shard, answer }) => answer.map((row) => ({ ...row, shard })));

/** One field of what each has answered. */
export const pick = <T, K extends keyof T>(parts: readonly Part<T>[], field: K): Part<T[K]>[] =>
  parts.map(({ shard, answer }) => ({ shard, answer: answer[field] }));

/** Rows in groups, by some fields; in the order in which they come. */
export function grouped<T>(rows: readonly T[], ...keys: readonly (keyof T)[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name]));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

type Numbers<F extends string> = { readonly [K in F]?: number | null };

/** Fields added up, each by itself; null where every shard has null. */
export function sums<F extends string, T extends Numbers<F>>(rows: readonly T[], ...fields: readonly F[]): Pick<T, F> {
  const total: Record<string, number | null> = {};
  for (const field of fields) {
    const known = rows.map((row) => row[field] ?? null).filter((value): value is T[F] & number => value !== null);
    total[field] = known.length === 0 ? null : known.reduce((sum: number, value) => sum + value, 0);
  }
  return total as Pick<T, F>;
}

/** The greatest of what is known of a field; null: nothing is. */
export const greatest = <T, F extends keyof T>(rows: readonly T[], field: F): T[F] =>
  extreme(rows, field, (one, other) => one > other);

/** The least of it. */
export const least = <T, F extends keyof T>(rows: readonly T[], field: F): T[F] =>
  extreme(rows, field, (one, other) => one < other);

function extreme<T, F extends keyof T>(
  rows: readonly T[],
  field: F,
  isBetter: (one: T[F], other: T[F]) => boolean,
): T[F] {
  let best = null as T[F];
  for (const row of rows) {
    const value = row[field] ?? null;
    if (value !== null && (best === null || isBetter(value as T[F], best))) best = value as T[F];
  }
  return best;
}

/** Every value once, sorted. */
export const union = <V extends number | string>(lists: readonly (readonly V[])[]): V[] =>
  [...new Set(lists.flat())].sort((one, other) => (one < other ? -1 : 1));

/** Orders rows by some fields. */
export function by<F extends string>(...fields: readonly F[]) {
  return (one: { readonly [K in F]: Moment | number }, other: { readonly [K in F]: Moment | number }): number => {
    for (const field of fields) {
      const [a, b] = [one[field], other[field]];
      if (a < b) return -1;
      if (a > b) return 1;
    }
    return 0;
  };
}

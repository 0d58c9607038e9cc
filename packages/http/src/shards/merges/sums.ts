import type { Body, ShardAnswer } from '../ask-shard.js';

/** Makes one body of those of several shards; each has its name before its ids already. */
export type Merge = (answers: readonly ShardAnswer[]) => Body;

/** The rows of a field of all answers, each with the shard that it is of. */
export function tagged(answers: readonly ShardAnswer[], field: string): Body[] {
  return answers.flatMap(({ shard, body }) => (body[field] as Body[]).map((row) => ({ ...row, shard })));
}

/** Rows of all shards in groups, by the texts of some fields; in the order in which they come. */
export function grouped(answers: readonly ShardAnswer[], field: string, keys: readonly string[]): Body[][] {
  const groups = new Map<string, Body[]>();
  for (const row of tagged(answers, field)) {
    const key = JSON.stringify(keys.map((name) => row[name] as unknown));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** Fields added up, each by itself; null where every shard has null. */
export function sums(rows: readonly Body[], fields: readonly string[]): Body {
  return Object.fromEntries(
    fields.map((field) => {
      const known = rows
        .map((row) => (row[field] as number | null | undefined) ?? null)
        .filter((value) => value !== null);
      return [field, known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)];
    }),
  );
}

/** The greatest of what is known of a field; null: nothing is. */
export const greatest = (rows: readonly Body[], field: string): number | string | null =>
  extreme(rows, field, (one, other) => one > other);

/** The least of it. */
export const least = (rows: readonly Body[], field: string): number | string | null =>
  extreme(rows, field, (one, other) => one < other);

type Value = number | string;

function extreme(rows: readonly Body[], field: string, isBetter: (one: Value, other: Value) => boolean): Value | null {
  let best: Value | null = null;
  for (const row of rows) {
    const value = (row[field] as Value | null | undefined) ?? null;
    if (value !== null && (best === null || isBetter(value, best))) best = value;
  }
  return best;
}

/** Every value once, sorted. */
export const union = <T extends number | string>(rows: readonly Body[], field: string): T[] =>
  [...new Set(rows.flatMap((row) => row[field] as T[]))].sort((one, other) => (one < other ? -1 : 1));

export const some = (rows: readonly Body[], field: string): boolean => rows.some((row) => row[field] === true);
export const every = (rows: readonly Body[], field: string): boolean => rows.every((row) => row[field] === true);

/** Orders rows by the texts or numbers of some fields. */
export function by(...fields: readonly string[]): (one: Body, other: Body) => number {
  return (one, other) => {
    for (const field of fields) {
      const [a, b] = [one[field] as string | number, other[field] as string | number];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
}

/** Refusals by code, added up. */
export function sumsByName(rows: readonly Body[], field: string): Record<string, number> {
  const total: Record<string, number> = {};
  for (const row of rows)
    for (const [name, count] of Object.entries(row[field] as Record<string, number>))
      total[name] = (total[name] ?? 0) + count;
  return total;
}

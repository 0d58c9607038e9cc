import type { NewRun } from '../ports/producer.js';
import { empty, join, sql, type Sql } from './sql.js';
import { toArray } from './to-array.js';

/**
 * What follows `SELECT` in the statement that inserts runs: a set-returning function for each column in which they
 * differ, and a single value for each that they share. `position` counts from 1.
 */
export function runsAsRows(runs: readonly NewRun[]): Sql {
  const { kinds, kindOf } = groupByKind(runs);
  const shared = (valueOf: (kind: NewRun) => string | number | null, type: Sql): Sql =>
    kinds.length === 1
      ? sql`${valueOf(kinds[0]!)}::${type}`
      : sql`(SELECT ${toArray(kinds.map(valueOf))}::text::${type}[])[x.kind]`;
  const own = { kind: empty, run_at: sql`NULL::timestamptz`, delay_ms: sql`NULL::float8`, key: sql`NULL::text` };
  const functions: Sql[] = [
    sql`jsonb_array_elements(${`[${runs.map((run) => run.payloadJson).join(',')}]`}::text::jsonb)`,
  ];
  const names: Sql[] = [sql`payload`];
  const add = (name: keyof typeof own, column: Sql, values: readonly (string | number | null)[], type: Sql): void => {
    if (values.every((value) => value === null)) return;
    functions.push(sql`unnest(${toArray(values)}::text::${type}[])`);
    names.push(column);
    own[name] = sql`x.${column}`;
  };
  if (kinds.length > 1) add('kind', sql`kind`, kindOf, sql`integer`);
  add(
    'run_at',
    sql`run_at`,
    runs.map((run) => run.runAt),
    sql`timestamptz`,
  );
  add(
    'delay_ms',
    sql`delay_ms`,
    runs.map((run) => (run.delayMs === 0 ? null : run.delayMs)),
    sql`float8`,
  );
  add(
    'key',
    sql`key`,
    runs.map((run) => run.key),
    sql`text`,
  );
  return sql`
      x.position, x.payload, ${own.key} AS key,
      ${shared((kind) => kind.type, sql`text`)} AS type,
      ${shared((kind) => kind.version, sql`integer`)} AS version,
      ${shared((kind) => kind.queue, sql`text`)} AS queue,
      ${shared((kind) => kind.priority, sql`smallint`)} AS priority,
      ${shared((kind) => kind.maxAttempts, sql`integer`)} AS max_attempts,
      ${shared((kind) => kind.keyWindowMs, sql`float8`)} AS key_window_ms,
      CASE
        WHEN ${own.run_at} IS NOT NULL THEN ${own.run_at}
        WHEN ${own.delay_ms} IS NOT NULL THEN now() + ${own.delay_ms} * interval '1 millisecond'
        ELSE now()
      END AS run_at
      FROM ROWS FROM (${join(functions)}) WITH ORDINALITY AS x (${join([...names, sql`position`])})`;
}

/** Runs that are equal in all else share a kind; `kindOf` counts from 1. */
function groupByKind(runs: readonly NewRun[]): { kinds: readonly NewRun[]; kindOf: readonly number[] } {
  const kinds: NewRun[] = [];
  const kindOf = runs.map((run) => {
    const last = kinds.at(-1);
    if (last !== undefined && isSameKind(run, last)) return kinds.length;
    const index = kinds.findIndex((kind) => isSameKind(run, kind));
    return index === -1 ? kinds.push(run) : index + 1;
  });
  return { kinds, kindOf };
}

function isSameKind(a: NewRun, b: NewRun): boolean {
  return (
    a.type === b.type &&
    a.priority === b.priority &&
    a.maxAttempts === b.maxAttempts &&
    a.queue === b.queue &&
    a.version === b.version &&
    a.keyWindowMs === b.keyWindowMs
  );
}

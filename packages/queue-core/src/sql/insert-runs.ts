import type { Queryable, Sql } from './sql.js';
import { empty, join, queryRows, sql } from './sql.js';

export interface NewRun {
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number;
  /** ISO 8601 text, because the time zone of the caller's session is not ours to trust; null: the database's now. */
  readonly runAt: string | null;
  readonly delayMs: number;
  readonly key: string | null;
  readonly keyWindowMs: number | null;
  readonly payloadJson: string;
}

/** `runAtMs` is null when the key was taken: `id` is the run that has it. */
export interface InsertedRun {
  readonly id: string;
  readonly runAtMs: number | null;
}

export interface InsertedRuns {
  /** One per input, in its order. */
  readonly runs: readonly InsertedRun[];
  /** The transaction that the statement ran in. Where it is not the expected one, nothing was written. */
  readonly transactionId: string;
}

export interface InsertOptions {
  /** Writes only inside this transaction, the one that the caller believes to be in. */
  readonly expectedTransaction?: string | null;
  /** Queues whose workers hear of it when it is committed. */
  readonly wake?: readonly string[];
}

/**
 * Inserts runs and takes their idempotency keys, all or none, in one statement.
 *
 * Keys are taken in their order, so that two batches cannot wait for each other. A key that another transaction is just
 * taking makes this one wait for its end: committed, and that run is returned; rolled back, and the key is ours.
 *
 * What all runs share is sent once, the rest as arrays, and only what some run has; one text comes back. A row in JSON each,
 * with its names, took twice as long.
 */
export async function insertRuns(db: Queryable, runs: readonly NewRun[], { expectedTransaction = null, wake = [] }: InsertOptions = {}): Promise<InsertedRuns> {
  const hasKeys = runs.some((run) => run.key !== null);
  const joined = expectedTransaction === null ? sql`true` : sql`pg_current_xact_id()::text = ${expectedTransaction}::text`;
  const taken = hasKeys ? sql`LEFT JOIN taken AS t ON t.job_type = i.type AND t.key = i.key` : empty;
  const [row] = await queryRows<{ ids: string; run_ats: string | null; now_ms: number; transaction_id: string }>(db, sql`
    WITH input AS MATERIALIZED (SELECT nextval('duework.job_runs_id_seq') AS id, ${inputColumns(runs)}),
    ${hasKeys ? sql`${takeKeys(joined)},` : empty}
    inserted AS (
      INSERT INTO duework.job_runs
        (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts)
      SELECT i.id, i.queue, i.type, i.version, i.priority, i.run_at, i.payload, i.key, i.max_attempts
      FROM input AS i ${taken}
      WHERE ${joined} ${hasKeys ? sql`AND (i.key IS NULL OR t.run_id = i.id)` : empty}
    )
    SELECT array_to_json(array_agg(${hasKeys ? sql`coalesce(t.run_id, i.id)` : sql`i.id`} ORDER BY i.position))::text AS ids,
      ${runAtsOf(runs, hasKeys)} AS run_ats,
      date_part('epoch', now()) * 1000 AS now_ms,
      ${wake.length === 0 ? empty : sql`(SELECT count(pg_notify('duework_wake', queue)::text) FROM unnest(${toArray(wake, (queue) => queue)}::text::text[]) AS queue) AS told,`}
      pg_current_xact_id()::text AS transaction_id
    FROM input AS i ${taken}
  `);
  const { ids, run_ats: runAts, now_ms: nowMs, transaction_id: transactionId } = row!;
  const runAtOf = runAts === null ? null : (JSON.parse(runAts) as (number | null)[]);
  return { runs: (JSON.parse(ids) as number[]).map((id, index) => ({ id: String(id), runAtMs: runAtOf === null ? nowMs : runAtOf[index]! })), transactionId };
}

/** Null for all that are due now and have no key: nothing else is to be told of them. */
function runAtsOf(runs: readonly NewRun[], hasKeys: boolean): Sql {
  if (!hasKeys && runs.every((run) => run.runAt === null && run.delayMs === 0)) return sql`NULL::text`;
  const runAt = sql`date_part('epoch', i.run_at) * 1000`;
  return sql`array_to_json(array_agg(${hasKeys ? sql`CASE WHEN i.key IS NULL OR t.run_id = i.id THEN ${runAt} END` : runAt} ORDER BY i.position))::text`;
}

/** The runs as rows: a function for each thing in which they differ, and what they share as it is. */
function inputColumns(runs: readonly NewRun[]): Sql {
  const { kinds, kindOf } = groupByKind(runs);
  const shared = (valueOf: (kind: NewRun) => string | number | null, type: Sql): Sql =>
    kinds.length === 1 ? sql`${valueOf(kinds[0]!)}::${type}` : sql`(${toArray(kinds, valueOf)}::text::${type}[])[x.kind]`;
  const own = { kind: empty, run_at: sql`NULL::timestamptz`, delay_ms: sql`NULL::float8`, key: sql`NULL::text` };
  const functions: Sql[] = [sql`jsonb_array_elements(${`[${runs.map((run) => run.payloadJson).join(',')}]`}::text::jsonb)`];
  const names: Sql[] = [sql`payload`];
  const add = (name: keyof typeof own, column: Sql, values: readonly (string | number | null)[], type: Sql): void => {
    if (values.every((value) => value === null)) return;
    functions.push(sql`unnest(${toArray(values, (value) => value)}::text::${type}[])`);
    names.push(column);
    own[name] = sql`x.${column}`;
  };
  if (kinds.length > 1) add('kind', sql`kind`, kindOf, sql`integer`);
  add('run_at', sql`run_at`, runs.map((run) => run.runAt), sql`timestamptz`);
  add('delay_ms', sql`delay_ms`, runs.map((run) => (run.delayMs === 0 ? null : run.delayMs)), sql`float8`);
  add('key', sql`key`, runs.map((run) => run.key), sql`text`);
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

const takeKeys = (joined: Sql): Sql => sql`taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      SELECT DISTINCT ON (type, key) type, key, id, now() + key_window_ms * interval '1 millisecond'
      FROM input
      WHERE key IS NOT NULL AND ${joined}
      ORDER BY type, key, position
      -- an update even when nothing changes: DO NOTHING would not return the row that another session has just committed
      ON CONFLICT (job_type, key) DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() THEN excluded.expires_at ELSE k.expires_at END
      RETURNING job_type, key, run_id
    )`;

/** The runs that differ in nothing else share a kind; `kindOf` counts from 1. */
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
  return a.type === b.type && a.priority === b.priority && a.maxAttempts === b.maxAttempts && a.queue === b.queue && a.version === b.version && a.keyWindowMs === b.keyWindowMs;
}

/** An array as PostgreSQL writes it. */
function toArray<T>(items: readonly T[], valueOf: (item: T) => string | number | null): string {
  return `{${items.map((item) => toElement(valueOf(item))).join(',')}}`;
}

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

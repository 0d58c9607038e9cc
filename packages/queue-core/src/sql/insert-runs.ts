import type { Queryable, Sql } from './sql.js';
import { empty, queryRows, sql } from './sql.js';

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
 * What many runs share is sent once (a kind), the rest as arrays, and one text comes back: a row in JSON, each with its names,
 * took twice as long.
 */
export async function insertRuns(db: Queryable, runs: readonly NewRun[], { expectedTransaction = null, wake = [] }: InsertOptions = {}): Promise<InsertedRuns> {
  const { kinds, kindOf } = groupByKind(runs);
  const hasKeys = runs.some((run) => run.key !== null);
  const joined = expectedTransaction === null ? sql`true` : sql`pg_current_xact_id()::text = ${expectedTransaction}::text`;
  const [row] = await queryRows<{ ids: string; run_ats: string; transaction_id: string }>(db, sql`
    WITH input AS MATERIALIZED (
      SELECT nextval('duework.job_runs_id_seq') AS id, x.position, x.payload, x.key,
        (${toArray(kinds, (kind) => kind.type)}::text::text[])[x.kind] AS type,
        (${toArray(kinds, (kind) => kind.version)}::text::integer[])[x.kind] AS version,
        (${toArray(kinds, (kind) => kind.queue)}::text::text[])[x.kind] AS queue,
        (${toArray(kinds, (kind) => kind.priority)}::text::smallint[])[x.kind] AS priority,
        (${toArray(kinds, (kind) => kind.maxAttempts)}::text::integer[])[x.kind] AS max_attempts,
        (${toArray(kinds, (kind) => kind.keyWindowMs)}::text::float8[])[x.kind] AS key_window_ms,
        CASE
          WHEN x.run_at IS NOT NULL THEN x.run_at
          WHEN x.delay_ms IS NOT NULL THEN now() + x.delay_ms * interval '1 millisecond'
          ELSE now()
        END AS run_at
      FROM ROWS FROM (
        unnest(${toArray(kindOf, (kind) => kind)}::text::integer[]),
        jsonb_array_elements(${`[${runs.map((run) => run.payloadJson).join(',')}]`}::text::jsonb),
        unnest(${toSparseArray(runs, (run) => run.runAt)}::text::timestamptz[]),
        unnest(${toSparseArray(runs, (run) => (run.delayMs === 0 ? null : run.delayMs))}::text::float8[]),
        unnest(${toSparseArray(runs, (run) => run.key)}::text::text[])
      ) WITH ORDINALITY AS x (kind, payload, run_at, delay_ms, key, position)
    ),
    ${hasKeys ? sql`${takeKeys(joined)},` : empty}
    inserted AS (
      INSERT INTO duework.job_runs
        (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts)
      SELECT i.id, i.queue, i.type, i.version, i.priority, i.run_at, i.payload, i.key, i.max_attempts
      FROM input AS i
      ${hasKeys ? sql`LEFT JOIN taken AS t ON t.job_type = i.type AND t.key = i.key` : empty}
      WHERE ${joined} ${hasKeys ? sql`AND (i.key IS NULL OR t.run_id = i.id)` : empty}
    )
    SELECT json_agg(${hasKeys ? sql`coalesce(t.run_id, i.id)` : sql`i.id`} ORDER BY i.position)::text AS ids,
      json_agg(${hasKeys ? sql`CASE WHEN i.key IS NULL OR t.run_id = i.id THEN date_part('epoch', i.run_at) * 1000 END` : sql`date_part('epoch', i.run_at) * 1000`}
        ORDER BY i.position)::text AS run_ats,
      ${wake.length === 0 ? empty : sql`(SELECT count(pg_notify('duework_wake', queue)::text) FROM unnest(${toArray(wake, (queue) => queue)}::text::text[]) AS queue) AS told,`}
      pg_current_xact_id()::text AS transaction_id
    FROM input AS i
    ${hasKeys ? sql`LEFT JOIN taken AS t ON t.job_type = i.type AND t.key = i.key` : empty}
  `);
  const ids = JSON.parse(row!.ids) as number[];
  const runAts = JSON.parse(row!.run_ats) as (number | null)[];
  return { runs: ids.map((id, index) => ({ id: String(id), runAtMs: runAts[index]! })), transactionId: row!.transaction_id };
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

/** The same; null where there is nothing in it, which is what most are. */
function toSparseArray<T>(items: readonly T[], valueOf: (item: T) => string | number | null): string | null {
  return items.some((item) => valueOf(item) !== null) ? toArray(items, valueOf) : null;
}

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

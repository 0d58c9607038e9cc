import type { NewRun } from '../ports/producer.js';
import type { Queryable, Sql } from './sql.js';
import { runsAsRows } from './runs-as-rows.js';
import { empty, queryRows, sql } from './sql.js';
import { toArray } from './to-array.js';

/** `runAtMs` is null when the key was taken: `id` is the run that has it. */
export interface InsertedRun {
  readonly id: string;
  readonly runAtMs: number | null;
}

export interface InsertedRuns {
  /** One per input, in its order. */
  readonly runs: readonly InsertedRun[];
  /** The transaction in which the statement ran. Where it is not the expected one, nothing was written. */
  readonly transactionId: string;
}

export interface InsertOptions {
  /** Writes only inside this transaction, in which the caller believes itself to be. */
  readonly expectedTransaction?: string | null;
  /** Queues whose workers are woken at the commit. */
  readonly wake?: readonly string[];
}

/**
 * Inserts runs and takes their idempotency keys, all or none, in one statement.
 *
 * Keys are taken in sorted order, so that two batches cannot wait for each other. Where another open transaction has
 * taken a key, this statement waits for its end: after a commit it returns that transaction's run, after a rollback it
 * takes the key.
 *
 * Values that all runs share are sent once, the others as arrays, and columns that no run uses not at all; one text
 * comes back. One JSON object for each run took twice as long.
 */
export async function insertRuns(
  db: Queryable,
  runs: readonly NewRun[],
  { expectedTransaction = null, wake = [] }: InsertOptions = {},
): Promise<InsertedRuns> {
  const joined =
    expectedTransaction === null ? sql`true` : sql`pg_current_xact_id()::text = ${expectedTransaction}::text`;
  const isKeyed = runs.some((run) => run.key !== null);
  const [row] = await queryRows<Row>(
    db,
    sql`
    ${isKeyed ? insertKeyed(runs, joined) : insertPlain(runs, joined)}
    SELECT o.ids, o.run_ats, date_part('epoch', now()) * 1000 AS now_ms,
      ${wake.length === 0 ? empty : sql`(SELECT count(pg_notify('duework_wake', queue)::text) FROM unnest(${toArray(wake)}::text::text[]) AS queue) AS told,`}
      pg_current_xact_id()::text AS transaction_id
    FROM (${isKeyed ? ANSWER_KEYED : answerPlain(runs)}) AS o
  `,
  );
  return { runs: readRuns(row!), transactionId: row!.transaction_id };
}

/** `ids` and `run_ats` are null where nothing was written; `run_ats` also where all runs are due now. */
interface Row {
  readonly ids: string | null;
  readonly run_ats: string | null;
  readonly now_ms: number;
  readonly transaction_id: string;
}

function readRuns({ ids, run_ats: runAts, now_ms: nowMs }: Row): InsertedRun[] {
  const runAtOf = runAts === null ? null : (JSON.parse(runAts) as (number | null)[]);
  return (JSON.parse(ids ?? '[]') as number[]).map((id, index) => ({
    id: String(id),
    runAtMs: runAtOf === null ? nowMs : runAtOf[index]!,
  }));
}

/**
 * Inserts runs without keys. The table's sequence gives ids in input order, so nothing has to be kept beside it, or
 * sorted.
 */
const insertPlain = (runs: readonly NewRun[], joined: Sql): Sql => sql`
    WITH inserted AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT i.queue, i.type, i.version, i.priority, i.run_at, i.payload, i.max_attempts
      FROM (SELECT ${runsAsRows(runs)}) AS i
      WHERE ${joined}
      RETURNING id, run_at
    )`;

function answerPlain(runs: readonly NewRun[]): Sql {
  const areDueNow = runs.every((run) => run.runAt === null && run.delayMs === 0);
  const runAts = areDueNow ? sql`NULL::text` : sql`array_to_json(array_agg(date_part('epoch', run_at) * 1000))::text`;
  return sql`SELECT array_to_json(array_agg(id))::text AS ids, ${runAts} AS run_ats FROM inserted`;
}

const insertKeyed = (runs: readonly NewRun[], joined: Sql): Sql => sql`
    WITH input AS MATERIALIZED (SELECT duework.next_run_id() AS id, ${runsAsRows(runs)}),
    ${takeKeys(joined)},
    inserted AS (
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts)
      SELECT i.id, i.queue, i.type, i.version, i.priority, i.run_at, i.payload, i.key, i.max_attempts
      FROM input AS i
      LEFT JOIN taken AS t ON t.job_type = i.type AND t.key = i.key
      WHERE ${joined} AND (i.key IS NULL OR t.run_id = i.id)
    )`;

const ANSWER_KEYED = sql`
      SELECT array_to_json(array_agg(coalesce(t.run_id, i.id) ORDER BY i.position))::text AS ids,
        array_to_json(array_agg(CASE WHEN i.key IS NULL OR t.run_id = i.id THEN date_part('epoch', i.run_at) * 1000 END ORDER BY i.position))::text AS run_ats
      FROM input AS i
      LEFT JOIN taken AS t ON t.job_type = i.type AND t.key = i.key`;

const takeKeys = (joined: Sql): Sql => sql`taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      -- guard: key-order
      SELECT DISTINCT ON (type, key) type, key, id, now() + key_window_ms * interval '1 millisecond'
      FROM input
      WHERE key IS NOT NULL AND ${joined}
      ORDER BY type, key, position
      -- guard end: key-order
      -- updates even when nothing changes: DO NOTHING would not return a row that another session has just committed
      -- guard: key-unique
      ON CONFLICT (job_type, key) DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() THEN excluded.expires_at ELSE k.expires_at END
      -- guard end: key-unique
      RETURNING job_type, key, run_id
    )`;

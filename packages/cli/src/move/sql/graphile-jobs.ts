import { isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import { exactly } from './exactly.js';

/** Whether it has tables there as of version 0.16, and whether row security hides them from this role. */
export async function findGraphile(
  db: Queryable,
  schema: string,
): Promise<{ readonly isThere: boolean; readonly isKnown: boolean; readonly isHidden: boolean }> {
  const [row] = await queryRows<{ isThere: boolean; isKnown: boolean; isHidden: boolean }>(
    db,
    sql`
    SELECT to_regclass(format('%I.jobs', ${schema}::text)) IS NOT NULL AS "isThere", t.oid IS NOT NULL AS "isKnown",
      coalesce(row_security_active(t.oid), false) AS "isHidden"
    FROM (SELECT to_regclass(format('%I._private_jobs', ${schema}::text))::oid AS oid) AS t`,
  );
  return row!;
}

/** Jobs with the names of their task and of their queue, if any. */
const named = (schema: Sql): Sql => sql`${schema}._private_jobs AS j
    JOIN ${schema}._private_tasks AS t ON t.id = j.task_id
    LEFT JOIN ${schema}._private_job_queues AS q ON q.id = j.job_queue_id`;

export interface CountedGraphile {
  readonly name: string;
  readonly queue: string | null;
  readonly state: 'waiting' | 'retry' | 'failed' | 'running';
  readonly jobs: number;
}

export const countGraphileJobs = (db: Queryable, schema: Sql): Promise<CountedGraphile[]> =>
  queryRows(
    db,
    sql`
    SELECT t.identifier AS name, q.queue_name AS queue, CASE
        WHEN j.locked_at IS NOT NULL THEN 'running' WHEN j.attempts >= j.max_attempts THEN 'failed'
        WHEN j.attempts > 0 THEN 'retry' ELSE 'waiting'
      END AS state, count(*)::integer AS jobs
    FROM ${named(schema)} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );

export const listGraphileTasks = (db: Queryable, schema: Sql): Promise<{ name: string }[]> =>
  queryRows(db, sql`SELECT t.identifier AS name FROM ${schema}._private_tasks AS t ORDER BY t.identifier`);

export const listGraphileJobs = (
  db: Queryable,
  schema: Sql,
  name: string,
  after: string,
  limit: number,
): Promise<{ id: string }[]> =>
  queryRows(
    db,
    sql`
    SELECT j.id::text AS id FROM ${schema}._private_jobs AS j
    WHERE j.task_id = (SELECT t.id FROM ${schema}._private_tasks AS t WHERE t.identifier = ${name}::text)
      AND j.locked_at IS NULL AND j.id > ${after}::text::bigint
    ORDER BY j.id LIMIT ${limit}::integer`,
  );

export interface GraphileRow {
  readonly name: string;
  readonly payload: string;
  readonly row: string;
  readonly runAt: string;
  readonly createdAt: string;
  readonly failedAt: string;
  /** A job of its queue runs, and it has to wait for that one. */
  readonly isBehind: boolean;
}

export const readGraphileJobs = (
  db: Queryable,
  schema: Sql,
  name: string,
  ids: readonly string[],
  isLocking: boolean,
): Promise<GraphileRow[]> =>
  queryRows(
    db,
    sql`
    SELECT t.identifier AS name, j.payload::text AS payload,
      jsonb_strip_nulls(to_jsonb(j) - 'payload' || jsonb_build_object('queue_name', q.queue_name))::text AS row,
      ${isoText(sql`j.run_at`)} AS "runAt", ${isoText(sql`j.created_at`)} AS "createdAt", ${isoText(sql`j.updated_at`)} AS "failedAt",
      q.locked_at IS NOT NULL AS "isBehind"
    FROM ${named(schema)}
    WHERE j.id = ANY (${[...ids]}::text[]::bigint[]) AND t.identifier = ${name}::text AND j.locked_at IS NULL
    ORDER BY j.id ${isLocking ? sql`FOR UPDATE OF j SKIP LOCKED` : sql``}`,
  );

export async function removeGraphileJobs(tx: Queryable, schema: Sql, ids: readonly string[]): Promise<void> {
  await queryRows(tx, sql`DELETE FROM ${schema}._private_jobs AS j WHERE j.id = ANY (${[...ids]}::text[]::bigint[])`);
}

/** Writes jobs as they were, but for their moment and attempts. Answers with the `ref` of each that is there now. */
export async function restoreGraphileJobs(
  tx: Queryable,
  schema: Sql,
  table: string,
  jobs: string,
): Promise<{ ref: string }[]> {
  const given = sql`jsonb_to_recordset(${jobs}::text::jsonb) AS x (
        ref text, name text, data jsonb, row jsonb, run_at timestamptz, attempts integer, max_attempts integer,
        priority integer, error text
      )`;
  await queryRows(
    tx,
    sql`
    WITH tasks AS (
      INSERT INTO ${schema}._private_tasks (identifier)
      SELECT DISTINCT x.name FROM ${given} WHERE x.name NOT IN (SELECT t.identifier FROM ${schema}._private_tasks AS t)
      ON CONFLICT DO NOTHING
    )
    INSERT INTO ${schema}._private_job_queues (queue_name)
    SELECT DISTINCT x.row ->> 'queue_name' FROM ${given} WHERE x.row ->> 'queue_name' IS NOT NULL
      AND x.row ->> 'queue_name' NOT IN (SELECT q.queue_name FROM ${schema}._private_job_queues AS q)
    ON CONFLICT DO NOTHING`,
  );
  return queryRows(
    tx,
    sql`
    WITH given AS MATERIALIZED (
      SELECT x.ref, x.name, x.data, x.row, x.attempts, x.max_attempts, x.priority, x.error, ${exactly('run_at')} AS run_at, coalesce((x.row ->> 'id')::bigint, nextval(pg_get_serial_sequence(${table}::text, 'id'))) AS id
      FROM ${given}
    ),
    written AS (
      INSERT INTO ${schema}._private_jobs (
        id, job_queue_id, task_id, payload, priority, run_at, attempts, max_attempts, last_error, created_at, updated_at, key,
        revision, flags
      ) OVERRIDING SYSTEM VALUE
      SELECT g.id, (SELECT q.id FROM ${schema}._private_job_queues AS q WHERE q.queue_name = g.row ->> 'queue_name'), t.id,
        g.data::json, coalesce((g.row ->> 'priority')::integer, g.priority), g.run_at, g.attempts, g.max_attempts,
        coalesce(g.error, CASE WHEN g.attempts > 0 THEN g.row ->> 'last_error' END),
        coalesce((g.row ->> 'created_at')::timestamptz, now()), coalesce((g.row ->> 'updated_at')::timestamptz, now()),
        g.row ->> 'key', coalesce((g.row ->> 'revision')::integer, 0),
        g.row -> 'flags'
      FROM given AS g JOIN ${schema}._private_tasks AS t ON t.identifier = g.name
      ORDER BY g.id
      ON CONFLICT DO NOTHING
      RETURNING id
    )
    SELECT g.ref FROM given AS g JOIN written AS w USING (id)`,
  );
}

import { isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import { exactly } from './exactly.js';

/** The queue in which pg-boss keeps the jobs of its schedules before it sends them. */
export const SEND_IT = '__pgboss__send-it';

const NAME: Sql = sql`CASE WHEN j.name = ${SEND_IT}::text THEN coalesce(j.data ->> 'name', j.name) ELSE j.name END`;

/** Null where there is no pg-boss; false where its tables are older than those of version 11. */
export async function findPgBoss(db: Queryable, schema: string): Promise<boolean | null> {
  const [row] = await queryRows<{ isKnown: boolean | null }>(
    db,
    sql`
    SELECT CASE WHEN to_regclass(format('%I.job', ${schema}::text)) IS NOT NULL THEN EXISTS (
      SELECT FROM pg_attribute AS a
      WHERE a.attrelid = to_regclass(format('%I.job', ${schema}::text)) AND a.attname = 'expire_seconds'
    ) END AS "isKnown"`,
  );
  return row!.isKnown;
}

export interface CountedState {
  readonly name: string;
  readonly state: string;
  readonly jobs: number;
}

export const countPgBossJobs = (db: Queryable, schema: Sql): Promise<CountedState[]> =>
  queryRows(
    db,
    sql`
    SELECT ${NAME} AS name, j.state::text AS state, count(*)::integer AS jobs
    FROM ${schema}.job AS j WHERE j.name <> ${SEND_IT}::text OR j.state < 'active' GROUP BY 1, 2 ORDER BY 1, j.state::text`,
  );

export const listPgBossQueues = (db: Queryable, schema: Sql): Promise<{ name: string }[]> =>
  queryRows(db, sql`SELECT q.name FROM ${schema}.queue AS q ORDER BY q.name`);

/** Those of one name that wait or have failed. */
const movable = (name: string): Sql => sql`j.name IN (${name}::text, ${SEND_IT}::text)
      AND j.state IN ('created', 'retry', 'failed')
      AND (j.name = ${name}::text OR j.state <> 'failed' AND j.data ->> 'name' = ${name}::text)`;

/** The next ids in the order of their creation; `at` and `id` of the last one say where to go on. */
export const listPgBossJobs = (
  db: Queryable,
  schema: Sql,
  name: string,
  [at, id]: readonly [string, string],
  limit: number,
): Promise<{ id: string; at: string }[]> =>
  queryRows(
    db,
    sql`
    SELECT j.id::text AS id, j.created_on::text AS at FROM ${schema}.job AS j
    WHERE ${movable(name)} AND (j.created_on, j.id) > (${at}::text::timestamptz, ${id}::text::uuid)
    ORDER BY j.created_on, j.id LIMIT ${limit}::integer`,
  );

export interface PgBossRow {
  readonly data: string | null;
  readonly row: string;
  readonly runAt: string;
  readonly createdAt: string;
  readonly failedAt: string;
}

/** Rows as JSON, because versions of pg-boss have different columns. */
export const readPgBossJobs = (
  db: Queryable,
  schema: Sql,
  name: string,
  ids: readonly string[],
  isLocking: boolean,
): Promise<PgBossRow[]> =>
  queryRows(
    db,
    sql`
    SELECT j.data::text AS data, jsonb_strip_nulls(to_jsonb(j) - 'data')::text AS row, ${isoText(sql`j.start_after`)} AS "runAt",
      ${isoText(sql`j.created_on`)} AS "createdAt",
      ${isoText(sql`coalesce(j.completed_on, j.started_on, j.created_on)`)} AS "failedAt"
    FROM ${schema}.job AS j
    WHERE j.id = ANY (${[...ids]}::text[]::uuid[]) AND ${movable(name)}
    ORDER BY j.created_on, j.id ${isLocking ? sql`FOR UPDATE SKIP LOCKED` : sql``}`,
  );

export async function removePgBossJobs(tx: Queryable, schema: Sql, ids: readonly string[]): Promise<void> {
  await queryRows(tx, sql`DELETE FROM ${schema}.job AS j WHERE j.id = ANY (${[...ids]}::text[]::uuid[])`);
}

/**
 * Writes jobs: those that were there as they were, but for their moment, attempts and state; others as the options of their
 * queue say. Answers with the `ref` of each that is there now.
 */
export const restorePgBossJobs = (tx: Queryable, schema: Sql, jobs: string): Promise<{ ref: string }[]> =>
  queryRows(
    tx,
    sql`
    WITH given AS MATERIALIZED (
      SELECT x.ref, x.place, (
          coalesce(x.row, jsonb_build_object(
            'id', gen_random_uuid(), 'name', x.name, 'priority', x.priority, 'retry_limit', x.retry_limit,
            'retry_delay', q.retry_delay, 'retry_backoff', q.retry_backoff, 'retry_delay_max', to_jsonb(q) -> 'retry_delay_max',
            'expire_seconds', q.expire_seconds, 'deletion_seconds', q.deletion_seconds, 'policy', q.policy,
            'dead_letter', q.dead_letter, 'created_on', now(), 'blocked', false, 'blocking', false, 'pending_dependencies', 0
          ))
          || jsonb_build_object('state', x.state, 'retry_count', x.retry_count, 'start_after', ${exactly('start_after')})
          -- by which pg-boss knows that the next attempt is another one
          || CASE WHEN x.state = 'created' THEN '{}' ELSE jsonb_build_object(
            'started_on', coalesce((x.row ->> 'started_on')::timestamptz, now())) END
          || jsonb_build_object('keep_until', greatest(
            (x.row ->> 'keep_until')::timestamptz, x.run_at + q.retention_seconds * interval '1 second'
          ))
        ) AS row, x.data
      FROM ROWS FROM (jsonb_to_recordset(${jobs}::text::jsonb) AS (
        ref text, name text, data jsonb, row jsonb, state text, run_at timestamptz, retry_count integer, retry_limit integer,
        priority integer
      )) WITH ORDINALITY AS x (ref, name, data, row, state, run_at, retry_count, retry_limit, priority, place)
      JOIN ${schema}.queue AS q ON q.name = x.name
    ),
    written AS (
      INSERT INTO ${schema}.job
      SELECT (jsonb_populate_record(NULL::${schema}.job, g.row || jsonb_build_object('data', g.data))).* FROM given AS g
      ORDER BY g.place
      ON CONFLICT DO NOTHING
      RETURNING id
    )
    SELECT g.ref FROM given AS g JOIN written AS w ON w.id = (g.row ->> 'id')::uuid`,
  );

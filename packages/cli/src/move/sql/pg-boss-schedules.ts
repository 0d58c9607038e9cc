import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import { SEND_IT } from './pg-boss-jobs.js';

export interface PgBossSchedule {
  readonly name: string;
  readonly key: string;
  readonly cron: string;
  readonly timeZone: string | null;
  readonly data: string | null;
}

export const listPgBossSchedules = (db: Queryable, schema: Sql): Promise<PgBossSchedule[]> =>
  queryRows(
    db,
    sql`
    SELECT s.name, s.key, s.cron, s.timezone AS "timeZone", s.data::text AS data
    FROM ${schema}.schedule AS s ORDER BY 1, 2`,
  );

/** false: it was there no more. */
export async function removePgBossSchedule(
  tx: Queryable,
  schema: Sql,
  { name, key }: PgBossSchedule,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`
    DELETE FROM ${schema}.schedule AS s
    WHERE s.name = ${name}::text AND s.key = ${key}::text RETURNING 1 AS gone`,
  );
  return rows.length > 0;
}

/** false: there is one of that name and key, or no such queue. */
export async function insertPgBossSchedule(
  tx: Queryable,
  schema: Sql,
  { name, key, cron, timeZone, data }: PgBossSchedule,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`
    INSERT INTO ${schema}.schedule (name, key, cron, timezone, data)
    SELECT q.name, ${key}::text, ${cron}::text, ${timeZone}::text, ${data}::text::jsonb
    FROM ${schema}.queue AS q WHERE q.name = ${name}::text
    ON CONFLICT DO NOTHING RETURNING 1 AS made`,
  );
  return rows.length > 0;
}

/**
 * Takes a due time of a schedule, as pg-boss itself does: with the one job of that due time in its queue. Whoever comes
 * later finds it taken. false: pg-boss has taken it.
 */
export async function takePgBossDueTime(
  tx: Queryable,
  schema: Sql,
  singletonKeys: readonly string[],
  dueTime: Date,
): Promise<boolean> {
  const [row] = await queryRows<{ isTaken: boolean }>(
    tx,
    sql`
    WITH taken AS (
      INSERT INTO ${schema}.job (name, state, singleton_key, singleton_on, started_on, completed_on)
      SELECT q.name, 'completed', k.key, ${dueTime.toISOString()}::text::timestamptz AT TIME ZONE 'UTC', now(), now()
      FROM ${schema}.queue AS q CROSS JOIN unnest(${[...singletonKeys]}::text[]) AS k (key)
      WHERE q.name = ${SEND_IT}::text
      ON CONFLICT DO NOTHING
      RETURNING 1
    )
    -- without that queue no schedule has ever fired
    SELECT (SELECT count(*) FROM taken) = ${singletonKeys.length}::integer
      OR NOT EXISTS (SELECT FROM ${schema}.queue AS q WHERE q.name = ${SEND_IT}::text) AS "isTaken"`,
  );
  return row!.isTaken;
}

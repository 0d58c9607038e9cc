import type { Act, Queryable } from '@duework/queue-core';
import { checkAct, insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/** What a database knows of where it lives. */
export interface Origin {
  readonly database: string;
  /** Where workers have known it, and where it is now: `<cluster> <number of the database>`. null: no worker has started yet. */
  readonly noted: string | null;
  readonly here: string;
  /** Why no worker starts: it lives elsewhere, or seems to be restored from a backup; null: they do. */
  readonly whyNotAtHome: 'copied' | 'restored' | null;
  /** When a worker was here the last time, as far as the database knows, as ISO 8601; null: never. */
  readonly seenAt: string | null;
  /** Jobs that wait or run, 100,000 where there are more, and schedules that fire. */
  readonly jobs: number;
  readonly schedules: number;
}

/** Where a database lives, and what would begin there once a worker starts. */
export async function readOrigin(db: Queryable): Promise<Origin> {
  const [row] = await queryRows<Origin>(
    db,
    sql`
    SELECT current_database()::text AS database,
      coalesce(o.cluster, 'unknown') || ' ' || o.database AS noted, coalesce(p.cluster, 'unknown') || ' ' || p.database AS here,
      duework.why_not_at_home() AS "whyNotAtHome",
      (SELECT to_char(nullif(max(c.taken_at), '-infinity') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM duework.chores AS c) AS "seenAt",
      (SELECT count(*)::integer FROM (SELECT FROM duework.job_runs LIMIT 100000) AS j) AS jobs,
      (SELECT count(*)::integer FROM duework.schedules WHERE NOT is_paused) AS schedules
    FROM duework.place() AS p LEFT JOIN duework.origin AS o ON true`,
  );
  return row!;
}

/**
 * Says that the system itself has moved to where the database is now: workers start, and go on with what waits. New rows
 * get numbers behind those that are there, because logical replication brings no sequences.
 */
export async function moveOrigin(db: Queryable, act: Act = {}): Promise<void> {
  checkAct(act);
  await queryRows(
    db,
    sql`
    WITH p AS MATERIALIZED (SELECT * FROM duework.place()),
    was AS MATERIALIZED (SELECT * FROM duework.origin FOR UPDATE),
    moved AS (
      INSERT INTO duework.origin AS o (cluster, database, timeline) SELECT cluster, database, timeline FROM p
      WHERE (SELECT count(*) FROM was) >= 0
      ON CONFLICT (is_only) DO UPDATE
      SET cluster = excluded.cluster, database = excluded.database, timeline = excluded.timeline
      RETURNING o.*
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'move_origin',
        kind: 'database',
        target: sql`current_database()::text`,
        before: sql`(SELECT jsonb_build_object('cluster', was.cluster, 'database', was.database) FROM was)`,
        after: sql`jsonb_build_object('cluster', m.cluster, 'database', m.database)`,
        from: sql`moved AS m`,
      })}
    )
    SELECT name, duework.raise_sequences()::text AS raised FROM moved`,
  );
}

/**
 * Makes a copy harmless: what waits or runs is gone, no batch, action or due time enqueues anything any more, and
 * schedules are paused. What is over stays. Workers start then. It looks at nothing first: whether this is a copy is
 * the caller's to know. Returns how many jobs are gone, and how many schedules were paused.
 */
export async function emptyCopy(
  db: Queryable,
  act: Act = {},
): Promise<{ readonly jobs: number; readonly schedules: number }> {
  checkAct(act);
  const { by = 'program', via = 'program', reason = null } = act;
  const [row] = await queryRows<{ jobs: number; schedules: number }>(
    db,
    sql`
    SELECT e.jobs::integer AS jobs, e.schedules::integer AS schedules
    FROM duework.empty_copy(${by}::text, ${via}::text, ${reason}::text) AS e`,
  );
  return row!;
}

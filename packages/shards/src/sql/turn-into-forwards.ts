import { isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/** What one look at the runs of a table has found. */
export interface FoundWaiting {
  /** Those of the type that wait. */
  readonly ids: readonly string[];
  /** The last run that was looked at: go on behind it. null: there are no more. */
  readonly upTo: string | null;
}

/** Looks at the next `limit` runs behind `after`, by id, for those of a type that wait. */
export async function findWaiting(db: Queryable, type: string, after: string, limit: number): Promise<FoundWaiting> {
  const [row] = await queryRows<{ ids: string[] | null; upTo: string | null }>(
    db,
    sql`
    WITH looked AS MATERIALIZED (
      SELECT j.id, j.job_type, j.status FROM duework.job_runs AS j WHERE j.id > ${after}::text::bigint
      ORDER BY j.id LIMIT ${limit}::integer
    )
    SELECT array_agg(l.id::text ORDER BY l.id) FILTER (WHERE l.job_type = ${type}::text AND l.status <> 'running') AS ids,
      max(l.id)::text AS "upTo"
    FROM looked AS l`,
  );
  return { ids: row!.ids ?? [], upTo: row!.upTo };
}

/**
 * Makes runs that wait into forwards of themselves, each under its own id, so that whoever knows it, and its idempotency key,
 * finds what has become of it. One that is running, or has been claimed at this moment, is left alone; so is one to which
 * something here is tied: a place in a line, a batch, a parent, steps that were taken, and effects, which only this database
 * knows of. What was charged stays charged: the job gets the attempts that are left. Answers with the ids of
 * those that are forwards now.
 */
export async function turnIntoForwards(
  db: Queryable,
  to: string,
  forward: { readonly type: string; readonly queue: string; readonly priority: number; readonly maxAttempts: number },
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
    WITH tried AS MATERIALIZED (
      SELECT j.id, j.fence, j.job_type FROM duework.job_runs AS j
      WHERE j.id = ANY (${[...ids]}::text[]::bigint[]) AND j.fence > 0
    ),
    -- one scan of what these types have done, where any has been tried at all
    acted AS MATERIALIZED (
      SELECT e.run_id FROM duework.job_effects AS e
      WHERE EXISTS (SELECT FROM tried) AND e.job_type = ANY (ARRAY(SELECT DISTINCT t.job_type FROM tried AS t))
        AND e.run_id = ANY (ARRAY(SELECT t.id FROM tried AS t)) AND e.status <> 'undone'
    ),
    picked AS MATERIALIZED (
      SELECT j.id, k.key, extract(epoch FROM k.expires_at - j.created_at)::float8 * 1000 AS window_ms
      FROM duework.job_runs AS j
      LEFT JOIN duework.job_keys AS k ON k.job_type = j.job_type AND k.key = j.idempotency_key AND k.run_id = j.id
      WHERE j.id = ANY (${[...ids]}::text[]::bigint[]) AND j.status <> 'running'
        AND j.gates IS NULL AND j.held_by IS NULL
        AND (j.terms IS NULL OR j.terms - ARRAY['expiresAt', 'retryUntil', 'onExpired', 'onDead', 'maxWaitMs'] = '{}')
        AND NOT EXISTS (SELECT FROM duework.job_steps AS s WHERE s.run_id = j.id)
        -- one that has been claimed since is looked at anew, and has perhaps acted: it stays
        AND (j.fence = 0 OR (
          (j.id, j.fence) IN (SELECT t.id, t.fence FROM tried AS t) AND j.id NOT IN (SELECT a.run_id FROM acted AS a)
        ))
      ORDER BY j.id
      FOR UPDATE OF j
    ),
    turned AS (
      UPDATE duework.job_runs AS j
      SET job_type = ${forward.type}::text, job_version = 1, queue = ${forward.queue}::text,
        priority = ${forward.priority}::smallint, max_attempts = j.attempts + ${forward.maxAttempts}::integer, run_at = now(),
        terms = NULL,
        payload = jsonb_build_object('to', ${to}::text, 'run', jsonb_build_object(
          'type', j.job_type, 'version', j.job_version, 'queue', j.queue, 'priority', j.priority,
          'maxAttempts', j.max_attempts - j.attempts, 'runAt', ${isoText(sql`j.run_at`)}, 'delayMs', 0,
          'key', p.key, 'unique', NULL, 'keyWindowMs', p.window_ms,
          'payloadJson', j.payload::text, 'metaJson', j.meta::text, 'flow', ${flowOf}
        ))
      FROM picked AS p
      WHERE j.id = p.id
      RETURNING j.id
    )
    -- once, at the commit
    SELECT t.id::text AS id, CASE WHEN t.id = (SELECT min(id) FROM turned)
      THEN duework.notify('duework_wake', ${forward.queue}::text)::text END AS told
    FROM turned AS t`,
  );
  return rows.map(({ id }) => id);
}

const msFromDue = (term: string): Sql =>
  sql`extract(epoch FROM (j.terms ->> ${term}::text)::timestamptz - j.run_at)::float8 * 1000`;

/** What was agreed for row `j`, from the moment at which it is due; what has started does not expire. */
const flowOf: Sql = sql`CASE WHEN j.terms IS NOT NULL THEN jsonb_build_object('terms', jsonb_strip_nulls(jsonb_build_object(
            'expiresAfterMs', CASE WHEN j.attempts = 0 AND j.snoozed_at IS NULL AND j.releases IS NULL THEN ${msFromDue('expiresAt')} END,
            'retryForMs', ${msFromDue('retryUntil')},
            'onExpired', j.terms -> 'onExpired', 'onDead', j.terms -> 'onDead', 'maxWaitMs', j.terms -> 'maxWaitMs'
          ))) END`;

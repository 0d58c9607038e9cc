import type { AlertLimits } from '../../ports/upkeep.js';
import { activePauses } from '../claim/active-pauses.js';
import { sql, type Sql } from '../sql.js';

/** The limits of all alerts. */
export type Limits = Required<AlertLimits>;

/** A CTE `oldest`: the first run of each queue and priority, from the index that claims read; counting a million took 0.4 s. */
export const oldestRuns: Sql = sql`oldest (queue, priority, run_at) AS (
  (
    SELECT j.queue, j.priority, j.run_at
    FROM duework.job_runs AS j
    WHERE j.held_by IS NULL AND j.status IN ('queued', 'failed')
    ORDER BY j.queue, j.priority, j.run_at
    LIMIT 1
  )
  UNION ALL
  SELECT next.*
  FROM oldest AS o
  CROSS JOIN LATERAL (
    SELECT j.queue, j.priority, j.run_at
    FROM duework.job_runs AS j
    WHERE j.held_by IS NULL AND j.status IN ('queued', 'failed') AND (j.queue, j.priority) > (o.queue, o.priority)
    ORDER BY j.queue, j.priority, j.run_at
    LIMIT 1
  ) AS next
)`;

/**
 * A CTE `waiting`: for how long the oldest of these runs has waited, and the oldest that is not paused, which is looked
 * for among the first 1,000 of a queue and priority where any type is paused.
 */
export const longestWaits: Sql = sql`waiting (seconds, unpaused_seconds) AS MATERIALIZED (
  SELECT extract(epoch FROM now() - min(o.run_at))::float8,
    extract(epoch FROM now() - min(
      CASE WHEN paused.types = '{}' THEN o.run_at ELSE (
        SELECT min(first.run_at)
        FROM (
          SELECT j.job_type, j.run_at
          FROM duework.job_runs AS j
          WHERE j.held_by IS NULL AND j.status IN ('queued', 'failed') AND j.queue = o.queue AND j.priority = o.priority
            AND j.run_at <= now()
          ORDER BY j.run_at
          LIMIT 1000
        ) AS first
        WHERE first.job_type <> ALL(paused.types)
      ) END
    ) FILTER (WHERE o.queue <> ALL(paused.queues)))::float8
  FROM oldest AS o
  CROSS JOIN (
    SELECT ARRAY(SELECT p.name FROM ${activePauses} AS p WHERE p.kind = 'queue') AS queues,
      ARRAY(SELECT p.name FROM ${activePauses} AS p WHERE p.kind = 'type') AS types
  ) AS paused
  WHERE o.run_at <= now()
)`;

/** Each of the alerts below is a query with a name, the facts, and whether it is raised. */
export const deadAlert = ({ maxDeadPerHour }: Limits): Sql => sql`
      SELECT 'too_many_dead_jobs' AS name,
        jsonb_build_object('deadInTheLastHour', count(*), 'limit', ${maxDeadPerHour}::integer) AS facts,
        count(*) > ${maxDeadPerHour}::integer AS is_raised
      FROM (
        SELECT FROM duework.job_history_dead
        WHERE finished_at > now() - interval '1 hour'
        LIMIT greatest(10000, ${maxDeadPerHour}::integer + 1)
      ) AS dead`;

export const expiringAlert = ({ keepDeadDays }: Limits): Sql => sql`
      SELECT 'dead_runs_expire',
        jsonb_build_object('runs', count(*), 'keepDeadDays', ${keepDeadDays}::integer, 'oldestGoesAt', to_char(
          date_trunc('day', min(finished_at) AT TIME ZONE 'UTC') + (${keepDeadDays}::integer + 1) * interval '1 day',
          'YYYY-MM-DD"T"HH24:MI:SS"Z"'
        )),
        count(*) > 0
      FROM (
        SELECT finished_at FROM duework.job_history_dead
        WHERE acknowledged_at IS NULL
          -- a week before they are deleted, or half of their retention where that is shorter
          AND finished_at < now() - (${keepDeadDays}::integer - least(7, ${keepDeadDays}::integer / 2.0)) * interval '1 day'
        ORDER BY finished_at
        LIMIT 1000
      ) AS expiring`;

/** The type with the largest share of failures; no row where none has too many. */
export const failingAlert = ({ maxFailedShare, minAttempts }: Limits): Sql => sql`
        SELECT 'failing_job_type',
          jsonb_build_object('type', job_type, 'failed', failed, 'attempts', attempts, 'share', round(failed::numeric / attempts, 2),
            'limit', ${maxFailedShare}::float8, 'seconds', round(extract(epoch FROM now() - since_at)),
            'others', count(*) OVER () - 1),
          true
        FROM duework.count_recent_attempts(interval '15 minutes', 500)
        WHERE attempts >= ${minAttempts}::integer AND failed >= attempts * ${maxFailedShare}::float8 AND failed > 0
        ORDER BY failed::numeric / attempts DESC, failed DESC
        LIMIT 1`;

/** Reads the CTE `waiting`. A pause is wanted, so what is paused does not count. */
export const waitingAlert = ({ maxWaitingSeconds }: Limits): Sql => sql`
      SELECT 'oldest_job_waits_too_long',
        jsonb_build_object('waitingSeconds', round(unpaused_seconds), 'limit', ${maxWaitingSeconds}::float8),
        unpaused_seconds > ${maxWaitingSeconds}::float8
      FROM waiting`;

/**
 * What no worker can read and has waited the longest. Reads the CTE `waiting`, so that runs are counted only where some
 * run has waited for that long.
 */
export const unservedAlert = ({ maxUnservedSeconds }: Limits): Sql => sql`
        SELECT 'no_worker_for_type',
          jsonb_build_object('type', job_type, 'version', job_version, 'queue', queue, 'waiting', waiting,
            'waitingSeconds', round(extract(epoch FROM now() - oldest_due_at)), 'limit', ${maxUnservedSeconds}::float8,
            'others', count(*) OVER () - 1),
          true
        FROM duework.count_unserved_jobs(1000)
        WHERE (SELECT seconds FROM waiting) > ${maxUnservedSeconds}::float8
          AND oldest_due_at < now() - ${maxUnservedSeconds}::float8 * interval '1 second'
        ORDER BY oldest_due_at
        LIMIT 1`;

/** The run that stopping workers have given back most often while it ran, where its contract allows fewer. */
export const releasedAlert: Sql = sql`
        SELECT 'job_released_too_often',
          jsonb_build_object('type', j.job_type, 'id', j.id::text, 'releases', j.releases, 'limit', coalesce(d.alert_after_releases, 5),
            'others', count(*) OVER () - 1),
          true
        FROM duework.released_runs AS r
        JOIN duework.job_runs AS j ON j.id = r.run_id
        LEFT JOIN duework.job_definitions AS d ON d.type = j.job_type
        WHERE j.releases > coalesce(d.alert_after_releases, 5)
        ORDER BY j.releases DESC, j.id
        LIMIT 1`;

/** Reads the CTE `pinned`; no row where nothing is pinned. */
export const pinnedAlert = ({ maxHorizonSeconds }: Limits): Sql => sql`
      SELECT 'horizon_pinned',
        jsonb_strip_nulls(jsonb_build_object(
          'kind', kind, 'pid', pid, 'name', name, 'database', database, 'user', username, 'application', application_name,
          'state', state, 'command', substring(query FROM '^[[:space:]]*([[:alpha:]]+)'), 'pinnedSeconds', round(pinned_seconds),
          'transactionSeconds', round(transaction_seconds), 'transactions', transactions, 'others', others,
          'deadRuns', pg_stat_get_dead_tuples('duework.job_runs'::regclass), 'limit', ${maxHorizonSeconds}::float8, 'remedy', remedy
        )),
        true
      FROM pinned`;

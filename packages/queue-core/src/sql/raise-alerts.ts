import type { AlertLimits, RaisedAlert } from '../ports/upkeep.js';
import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Returns the alerts to report now. A condition that lasts is reported once an hour, by the worker that checks first:
 * the alert's row decides.
 *
 * `horizon_pinned` names the oldest pin. It contains only the first word of the pin's query, because alerts go to logs
 * and over the network; the view shows more, to those who have the right. `failing_job_type` names the type with the
 * largest share of failures, before its runs are dead. `dead_runs_expire` counts up to 1,000.
 */
export function raiseAlerts(
  db: Queryable,
  {
    maxDeadPerHour,
    maxWaitingSeconds,
    maxHorizonSeconds,
    keepDeadDays = 90,
    maxFailedShare = 0.5,
    minAttempts = 20,
  }: AlertLimits,
): Promise<RaisedAlert[]> {
  return queryRows(
    db,
    sql`
    -- the first run of each queue and priority, from the index that claims read: counting all of a million took 0.4 s
    WITH RECURSIVE oldest (queue, priority, run_at) AS (
      (
        SELECT j.queue, j.priority, j.run_at
        FROM duework.job_runs AS j
        WHERE j.status IN ('queued', 'failed')
        ORDER BY j.queue, j.priority, j.run_at
        LIMIT 1
      )
      UNION ALL
      SELECT next.*
      FROM oldest AS o
      CROSS JOIN LATERAL (
        SELECT j.queue, j.priority, j.run_at
        FROM duework.job_runs AS j
        WHERE j.status IN ('queued', 'failed') AND (j.queue, j.priority) > (o.queue, o.priority)
        ORDER BY j.queue, j.priority, j.run_at
        LIMIT 1
      ) AS next
    ),
    waiting AS (
      SELECT extract(epoch FROM now() - min(run_at))::float8 AS seconds FROM oldest WHERE run_at <= now()
    ),
    pinned AS MATERIALIZED (
      SELECT *, count(*) OVER () - 1 AS others
      FROM duework.horizon_pins
      WHERE pinned_seconds > ${maxHorizonSeconds}::float8
      ORDER BY transactions DESC, transaction_seconds DESC
      LIMIT 1
    ),
    -- lets the pins of the next minutes be dated; one sample serves all workers
    sampled AS (
      INSERT INTO duework.xid_samples (seen_at)
      SELECT now() WHERE NOT EXISTS (SELECT FROM duework.xid_samples WHERE seen_at > now() - interval '30 seconds')
      ON CONFLICT DO NOTHING
    ),
    forgotten AS (DELETE FROM duework.xid_samples WHERE seen_at < now() - interval '1 day'),
    seen AS (
      SELECT 'too_many_dead_jobs' AS name,
        jsonb_build_object('deadInTheLastHour', count(*), 'limit', ${maxDeadPerHour}::integer) AS facts,
        count(*) > ${maxDeadPerHour}::integer AS is_raised
      FROM (
        SELECT FROM duework.job_history_dead
        WHERE finished_at > now() - interval '1 hour'
        LIMIT greatest(10000, ${maxDeadPerHour}::integer + 1)
      ) AS dead
      UNION ALL
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
      ) AS expiring
      UNION ALL
      (
        SELECT 'failing_job_type',
          jsonb_build_object('type', job_type, 'failed', failed, 'attempts', attempts, 'share', round(failed::numeric / attempts, 2),
            'limit', ${maxFailedShare}::float8, 'seconds', round(extract(epoch FROM now() - since_at)),
            'others', count(*) OVER () - 1),
          true
        FROM duework.count_recent_attempts(interval '15 minutes', 500)
        WHERE attempts >= ${minAttempts}::integer AND failed >= attempts * ${maxFailedShare}::float8 AND failed > 0
        ORDER BY failed::numeric / attempts DESC, failed DESC
        LIMIT 1
      )
      UNION ALL
      SELECT 'oldest_job_waits_too_long',
        jsonb_build_object('waitingSeconds', round(seconds), 'limit', ${maxWaitingSeconds}::float8),
        seconds > ${maxWaitingSeconds}::float8
      FROM waiting
      UNION ALL
      SELECT 'horizon_pinned',
        jsonb_strip_nulls(jsonb_build_object(
          'kind', kind, 'pid', pid, 'name', name, 'database', database, 'user', username, 'application', application_name,
          'state', state, 'command', substring(query FROM '^[[:space:]]*([[:alpha:]]+)'), 'pinnedSeconds', round(pinned_seconds),
          'transactionSeconds', round(transaction_seconds), 'transactions', transactions, 'others', others,
          'deadRuns', pg_stat_get_dead_tuples('duework.job_runs'::regclass), 'limit', ${maxHorizonSeconds}::float8, 'remedy', remedy
        )),
        true
      FROM pinned
    )
    INSERT INTO duework.job_alerts AS a (name, raised_at, facts)
    SELECT name, now(), facts FROM seen WHERE is_raised ORDER BY name
    ON CONFLICT (name) DO UPDATE SET raised_at = now(), facts = excluded.facts
    -- guard: alert-once
    WHERE a.raised_at <= now() - interval '1 hour'
    -- guard end: alert-once
    RETURNING a.name, a.facts
  `,
  );
}

import type { AlertLimits, RaisedAlert } from '../../ports/upkeep.js';
import {
  deadAlert,
  expiringAlert,
  failingAlert,
  longestWaits,
  oldestRuns,
  pinnedAlert,
  releasedAlert,
  unservedAlert,
  waitingAlert,
  type Limits,
} from './alert-conditions.js';
import { blockedAlert, breakerAlert, heldAlert } from './flow-alerts.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Returns the alerts to report now. A condition that lasts is reported once an hour, by the worker that checks first:
 * the alert's row decides.
 *
 * `horizon_pinned` names the oldest pin. It contains only the first word of the pin's query, because alerts go to logs
 * and over the network; the view shows more, to those who have the right. `failing_job_type` names the type with the
 * largest share of failures, before its runs are dead. `no_worker_for_type` names the type and version that has waited
 * the longest for a worker that can read it, among the first 1,000 due runs of each queue and priority.
 * `dead_runs_expire` counts up to 1,000. `job_released_too_often` names the run that was given back most often.
 */
export function raiseAlerts(db: Queryable, given: AlertLimits): Promise<RaisedAlert[]> {
  const limits: Limits = { keepDeadDays: 90, maxUnservedSeconds: 300, maxFailedShare: 0.5, minAttempts: 20, ...given };
  return queryRows(
    db,
    sql`
    WITH RECURSIVE ${oldestRuns},
    ${longestWaits},
    pinned AS MATERIALIZED (
      SELECT *, count(*) OVER () - 1 AS others
      FROM duework.horizon_pins
      WHERE pinned_seconds > ${limits.maxHorizonSeconds}::float8
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
    ended AS (
      DELETE FROM duework.released_runs AS r
      WHERE NOT EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = r.run_id AND j.releases IS NOT NULL)
    ),
    seen AS (
      ${deadAlert(limits)}
      UNION ALL
      ${expiringAlert(limits)}
      UNION ALL
      (
        ${failingAlert(limits)}
      )
      UNION ALL
      ${waitingAlert(limits)}
      UNION ALL
      (
        ${unservedAlert(limits)}
      )
      UNION ALL
      (
        ${releasedAlert}
      )
      UNION ALL
      (
        ${breakerAlert}
      )
      UNION ALL
      (
        ${blockedAlert}
      )
      UNION ALL
      (
        ${heldAlert(limits)}
      )
      UNION ALL
      ${pinnedAlert(limits)}
    )
    INSERT INTO duework.job_alerts AS a (name, raised_at, facts)
    SELECT name, now(), facts FROM seen WHERE is_raised ORDER BY name
    ON CONFLICT (name) DO UPDATE SET raised_at = now(), facts = excluded.facts
    WHERE a.raised_at <= now() - interval '1 hour'
    RETURNING a.name, a.facts
  `,
  );
}

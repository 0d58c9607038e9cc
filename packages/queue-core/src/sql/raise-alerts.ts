import { queryRows, sql, type Queryable } from './sql.js';

export interface AlertLimits {
  /** More runs than this dead within the last hour. */
  readonly maxDeadPerHour: number;
  /** The oldest due run waits for longer than this. */
  readonly maxWaitingSeconds: number;
}

export interface RaisedAlert {
  readonly name: 'too_many_dead_jobs' | 'oldest_job_waits_too_long' | 'slot_missing';
  readonly facts: { readonly [fact: string]: number | string };
}

/**
 * The alerts to tell now. A condition that lasts is told once an hour, by whichever worker looks first: the row decides.
 */
export function raiseAlerts(db: Queryable, { maxDeadPerHour, maxWaitingSeconds }: AlertLimits): Promise<RaisedAlert[]> {
  return queryRows(db, sql`
    WITH seen AS (
      SELECT 'too_many_dead_jobs' AS name,
        jsonb_build_object('deadInTheLastHour', count(*), 'limit', ${maxDeadPerHour}::integer) AS facts,
        count(*) > ${maxDeadPerHour}::integer AS is_raised
      FROM duework.job_history
      WHERE status = 'dead' AND finished_at > now() - interval '1 hour'
      UNION ALL
      SELECT 'oldest_job_waits_too_long',
        jsonb_build_object('waitingSeconds', round(max(oldest_waiting_seconds)), 'limit', ${maxWaitingSeconds}::float8),
        max(oldest_waiting_seconds) > ${maxWaitingSeconds}::float8
      FROM duework.queue_depth
    )
    INSERT INTO duework.job_alerts AS a (name, raised_at, facts)
    SELECT name, now(), facts FROM seen WHERE is_raised ORDER BY name
    ON CONFLICT (name) DO UPDATE SET raised_at = now(), facts = excluded.facts
    WHERE a.raised_at <= now() - interval '1 hour'
    RETURNING a.name, a.facts
  `);
}

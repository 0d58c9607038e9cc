import { DueworkError, type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { EffectFacts, PastAttempt, UnrecordedJob } from '../effect-check.js';
import { moment, NAMED, type TypeSpan } from './type-span.js';

/** Attempts that are looked at: the job of each takes about 100 µs. */
const MOST = 10_000;
/** Attempts that are named of a job. */
const FEW = 10;

/**
 * Counts the jobs of a type that have run more than once, of which an attempt ended in a span, and of which no effect is
 * recorded, and names the first. Throws `span_too_wide`.
 */
export async function findUnrecordedJobs(
  db: Queryable,
  { type, sinceMs, untilMs }: TypeSpan,
): Promise<Pick<EffectFacts, 'unrecorded' | 'unrecordedJobs'>> {
  const inSpan = sql`a.job_type COLLATE "C" = ${type}::text AND a.finished_at >= ${moment(sinceMs)} AND a.finished_at < ${moment(untilMs)}`;
  const day = (ms: number, days: number) =>
    sql`duework.first_id_of((${moment(ms)} AT TIME ZONE 'UTC')::date + ${days}::integer)`;
  const [row] = await queryRows<{ over_ms: number | null; jobs: string; count: number }>(
    db,
    sql`
    WITH tried AS MATERIALIZED (
      SELECT * FROM (
        (SELECT a.run_id, a.finished_at FROM duework.job_attempts AS a
          WHERE a.is_late AND ${inSpan} ORDER BY a.finished_at LIMIT ${MOST + 1}::integer)
        UNION ALL
        -- what ended later than on the day after the one of its run's id is late
        (SELECT a.run_id, a.finished_at FROM duework.job_attempts AS a
          WHERE NOT a.is_late AND a.run_id >= ${day(sinceMs, -1)} AND a.run_id < ${day(untilMs, 1)}
            AND ${inSpan} ORDER BY a.finished_at LIMIT ${MOST + 1}::integer)
      ) AS a ORDER BY a.finished_at LIMIT ${MOST + 1}::integer
    ),
    over AS (
      SELECT date_part('epoch', finished_at) * 1000 AS ms FROM tried ORDER BY finished_at OFFSET ${MOST}::integer
    ),
    unrecorded AS MATERIALIZED (
      SELECT t.run_id, j.status, j.idempotency_key, n.attempts
      FROM (
        SELECT DISTINCT t.run_id FROM tried AS t
        WHERE NOT EXISTS (SELECT FROM over)
          AND NOT EXISTS (SELECT FROM duework.job_effects AS e WHERE e.run_id = t.run_id)
      ) AS t
      CROSS JOIN LATERAL duework.find_job(t.run_id) AS j
      CROSS JOIN LATERAL (SELECT count(*) AS attempts FROM duework.job_attempts AS a WHERE a.run_id = t.run_id) AS n
      -- what has succeeded, or runs, has done so in an attempt that is not among them
      WHERE n.attempts + (j.status IN ('succeeded', 'running'))::integer > 1
        -- a job that has done it before for the same event
        AND NOT EXISTS (
          SELECT FROM duework.job_effects AS e WHERE e.job_type = ${type}::text AND e.run_key = j.idempotency_key
        )
    )
    SELECT (SELECT ms FROM over)::float8 AS over_ms, (SELECT count(*) FROM unrecorded)::integer AS count,
      coalesce((
        SELECT json_agg(json_build_object('jobId', u.run_id::text, 'status', u.status, 'attempts', (
          SELECT json_agg(json_build_object('attempt', a.attempt, 'outcome', a.outcome, 'worker', a.worker,
            'finishedAt', date_part('epoch', a.finished_at) * 1000, 'errorCode', a.error_code) ORDER BY a.fence)
          FROM (
            SELECT * FROM duework.job_attempts AS a WHERE a.run_id = u.run_id ORDER BY a.fence DESC LIMIT ${FEW}::integer
          ) AS a
        )) ORDER BY u.run_id)
        FROM (SELECT * FROM unrecorded ORDER BY run_id LIMIT ${NAMED}::integer) AS u
      ), '[]')::text AS jobs
  `,
  );
  const { over_ms, jobs, count } = row!;
  if (over_ms !== null)
    throw new DueworkError('span_too_wide', {
      type,
      what: 'attempts',
      most: MOST,
      until: new Date(over_ms).toISOString(),
    });
  type Row = Omit<UnrecordedJob, 'attempts'> & {
    attempts: (Omit<PastAttempt, 'finishedAt'> & { finishedAt: number })[];
  };
  return {
    unrecorded: count,
    unrecordedJobs: (JSON.parse(jobs) as Row[]).map(({ attempts, ...job }) => ({
      ...job,
      attempts: attempts.map((one) => ({ ...one, finishedAt: new Date(one.finishedAt) })),
    })),
  };
}

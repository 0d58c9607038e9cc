import type { Queryable } from '@duework/queue-core';
import { empty, queryRows, sql, toArray } from '@duework/queue-core/internals';

/** Jobs of each kind that are looked at, the newest first: some 100 ms where all of their errors differ. */
export const BUDGET = 10_000;
/** How much of an error tells it from others. */
export const ERROR_LENGTH = 200;

export interface FailuresQuery {
  /** ISO 8601 texts in UTC. */
  readonly since: string;
  readonly stepSeconds: number;
  /** null: of every type. */
  readonly types: readonly string[] | null;
}

/** Failures that differ in nothing but the digits of their errors, of one step. */
export interface FailuresLine {
  readonly isDead: boolean;
  readonly type: string;
  readonly version: number;
  readonly code: string;
  readonly errorType: string | null;
  /** The beginning of the error, each of its digits a 0. */
  readonly text: string;
  /** The beginning of one of the errors, as it is. */
  readonly message: string;
  /** null: the job waits for its retry, and nothing tells who had it. */
  readonly worker: string | null;
  readonly step: number;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * What died since a moment, and what waits for its retry because it has failed since. `isComplete`: nothing older was left
 * out.
 */
export async function findFailures(
  db: Queryable,
  { since, stepSeconds, types }: FailuresQuery,
): Promise<{ lines: FailuresLine[]; isComplete: boolean }> {
  const ofTypes = types === null ? empty : sql`AND f.job_type = ANY(${toArray(types)}::text::text[])`;
  const [row] = await queryRows<{ lines: string; dead: number; live: number }>(
    db,
    sql`
    WITH dead AS MATERIALIZED (
      SELECT true AS is_dead, j.job_type, j.job_version, j.error_code, j.error_type, left(j.last_error, ${ERROR_LENGTH}::integer) AS message,
        j.worker, j.finished_at AS at
      FROM duework.job_history_dead AS j
      WHERE j.finished_at >= ${since}::text::timestamptz
      ORDER BY j.finished_at DESC
      LIMIT ${BUDGET}::integer
    ),
    live AS MATERIALIZED (
      SELECT j.status, j.job_type, j.job_version, j.error_code, j.error_type, left(j.last_error, ${ERROR_LENGTH}::integer) AS message,
        j.failed_at AS at
      FROM duework.job_runs AS j
      WHERE j.failed_at IS NOT NULL
      ORDER BY j.id DESC
      LIMIT ${BUDGET}::integer
    ),
    grouped AS (
      SELECT f.is_dead, f.job_type, f.job_version, f.error_code, f.error_type, translate(f.message, '123456789', '000000000') AS text, f.worker,
        floor(extract(epoch FROM f.at - ${since}::text::timestamptz) / ${stepSeconds}::integer)::integer AS step,
        max(f.message) AS message, count(*)::integer AS n, min(f.at) AS first_at, max(f.at) AS last_at
      FROM (
        TABLE dead
        UNION ALL
        SELECT false, job_type, job_version, error_code, error_type, message, NULL, at
        FROM live WHERE status = 'failed' AND at >= ${since}::text::timestamptz
      ) AS f
      WHERE true ${ofTypes}
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    )
    SELECT coalesce((
        SELECT json_agg(json_build_object('isDead', is_dead, 'type', job_type, 'version', job_version, 'code', error_code, 'errorType', error_type,
          'text', text, 'message', message, 'worker', worker, 'step', step, 'count', n,
          'firstMs', extract(epoch FROM first_at) * 1000, 'lastMs', extract(epoch FROM last_at) * 1000))
        FROM grouped
      ), '[]')::text AS lines,
      (SELECT count(*) FROM dead)::integer AS dead, (SELECT count(*) FROM live)::integer AS live
  `,
  );
  const { lines, dead, live } = row!;
  return { lines: JSON.parse(lines) as FailuresLine[], isComplete: dead < BUDGET && live < BUDGET };
}

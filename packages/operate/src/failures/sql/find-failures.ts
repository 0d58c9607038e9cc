import type { Queryable } from '@duework/queue-core';
import { empty, queryRows, sql, type Sql, toArray } from '@duework/sql';

/** Jobs of each kind that are looked at, the newest first: each takes 4 µs. */
const BUDGET = { dead: 10_000, live: 5_000 } as const;
/** How much of an error tells it from others, at most: its first line. */
export const ERROR_LENGTH = 200;

/**
 * What tells an error from others that differ in ids, numbers and addresses alone, beside its type and code: the
 * expression of job_attempts_error_idx.
 */
export const errorKind = (message: Sql): Sql => sql`hashtextextended(regexp_replace(
  split_part(left(${message} COLLATE "C", 200), E'\\n', 1),
  '[[:alnum:]._%+-]+@[[:alnum:]-]+([.][[:alnum:]-]+)+|[[:alnum:]_]*[[:digit:]][[:alnum:]_]*', '0', 'g'
), 0)`;

export interface FailuresQuery {
  /** In milliseconds since 1970. */
  readonly sinceMs: number;
  readonly stepSeconds: number;
  /** null: of every type. */
  readonly types: readonly string[] | null;
}

/** Failures that differ in nothing but addresses, and words with a digit, of their errors. Its lists have a place for each job, in no order. */
export interface FailuresLine {
  readonly isDead: boolean;
  readonly type: string;
  readonly code: string;
  readonly errorType: string | null;
  /** The beginning of one of the errors. */
  readonly text: string;
  /** The newest of the jobs. */
  readonly newestJob: string;
  readonly steps: readonly number[];
  readonly versions: readonly number[];
  /** null: the job waits for its retry, and nothing tells who had it. */
  readonly workers: readonly (string | null)[];
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * What died since a moment, and what waits for its retry because it has failed since. `isComplete`: nothing older was left
 * out.
 */
export async function findFailures(
  db: Queryable,
  { sinceMs, stepSeconds, types }: FailuresQuery,
): Promise<{ lines: FailuresLine[]; isComplete: boolean }> {
  const since = sql`to_timestamp(${sinceMs / 1_000}::float8)`;
  const text = sql`split_part(left(j.last_error, ${ERROR_LENGTH}::integer), E'\\n', 1)`;
  const ofTypes = types === null ? empty : sql`AND f.job_type = ANY(${toArray(types)}::text::text[])`;
  const [row] = await queryRows<{ lines: string; dead: number; live: number }>(
    db,
    sql`
    WITH dead AS MATERIALIZED (
      SELECT true AS is_dead, j.id, j.job_type, j.job_version, j.error_code, j.error_type, ${text} AS text, j.worker, j.finished_at AS at
      FROM duework.job_history_dead AS j
      WHERE j.finished_at >= ${since}
      ORDER BY j.finished_at DESC
      LIMIT ${BUDGET.dead}::integer
    ),
    live AS MATERIALIZED (
      SELECT j.status, j.id, j.job_type, j.job_version, j.error_code, j.error_type, ${text} AS text, j.failed_at AS at
      FROM duework.job_runs AS j
      WHERE j.failed_at IS NOT NULL
      ORDER BY j.id DESC
      LIMIT ${BUDGET.live}::integer
    ),
    failed AS (
      SELECT f.*, floor((date_part('epoch', f.at) - ${sinceMs / 1_000}::float8) / ${stepSeconds}::integer)::integer AS step,
        -- a number, because texts are sorted by the rules of a language, which takes longer than all the rest
        ${errorKind(sql`f.text`)} # hashtextextended(f.job_type, hashtextextended(f.error_code,
          hashtextextended(coalesce(f.error_type, ''), f.is_dead::integer))) AS kind
      FROM (
        TABLE dead
        UNION ALL
        SELECT false, id, job_type, job_version, error_code, error_type, text, NULL, at
        FROM live WHERE status = 'failed' AND at >= ${since}
      ) AS f
      WHERE true ${ofTypes}
    ),
    lines AS (
      SELECT bool_and(is_dead) AS is_dead, min(job_type COLLATE "C") AS job_type, min(error_code COLLATE "C") AS error_code,
        min(error_type COLLATE "C") AS error_type, max(text COLLATE "C") AS text, max(id) AS newest, array_agg(step) AS steps, array_agg(job_version) AS versions,
        array_agg(worker) AS workers, min(at) AS first_at, max(at) AS last_at
      FROM failed
      GROUP BY kind
    )
    SELECT coalesce((
        SELECT json_agg(json_build_object('isDead', is_dead, 'type', job_type, 'code', error_code, 'errorType', error_type, 'text', text, 'newestJob', newest::text,
          'steps', steps, 'versions', versions, 'workers', workers,
          'firstMs', date_part('epoch', first_at) * 1000, 'lastMs', date_part('epoch', last_at) * 1000))
        FROM lines
      ), '[]')::text AS lines,
      (SELECT count(*) FROM dead)::integer AS dead, (SELECT count(*) FROM live)::integer AS live
  `,
  );
  const { lines, dead, live } = row!;
  return { lines: JSON.parse(lines) as FailuresLine[], isComplete: dead < BUDGET.dead && live < BUDGET.live };
}

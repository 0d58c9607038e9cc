import type { Queryable } from '@duework/queue-core';
import { join, queryRows, type Sql, sql } from '@duework/sql';
import { errorKind, type FailuresLine } from './find-failures.js';

/** How many of the newest attempts say where an error is thrown. */
const PLACES_OF = 10;

/** Of an error: its attempts, whatever became of their jobs since. */
export interface Beginning {
  /** Of the first attempt that failed with it since the moment; null: none is kept. */
  readonly firstMs: number | null;
  readonly firstWorker: string | null;
  /** Of the code of that worker, and when the first worker with that version started; null: it is not known. */
  readonly codeVersion: string | null;
  readonly startedMs: number | null;
  /** It has failed in as long a time before, too. */
  readonly isOlder: boolean;
  /** The first frames of the newest stacks that are neither of Node.js nor of a package, the newest first. */
  readonly places: readonly string[];
}

const DAY_MS = 86_400_000;
/** Of the runs of one day; as duework.first_id_of has it. */
const IDS_OF_DAY = 100_000_000_000;
const firstIdOf = (ms: number): number => Math.floor(ms / DAY_MS) * IDS_OF_DAY;

/**
 * When each of these errors began between two moments, with which version, and where it is thrown: of each a few rows of
 * an index. Of the days of attempts it locks those alone that can have one.
 */
export async function findBeginnings(
  db: Queryable,
  lines: readonly Pick<FailuresLine, 'type' | 'code' | 'errorType' | 'text'>[],
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Promise<Beginning[]> {
  const asked = JSON.stringify(
    lines.map(({ type, code, errorType, text }, place) => ({ type, code, errorType, text, place })),
  );
  const beforeMs = 2 * sinceMs - untilMs;
  const since = sql`to_timestamp(${sinceMs / 1_000}::float8)`;
  const ofKind = sql`a.job_type COLLATE "C" = k.type AND a.error_code COLLATE "C" = k.code AND ${errorKind(sql`a.error_message`)} = k.kind
      AND a.error_type IS NOT DISTINCT FROM k."errorType"`;
  // what ended later than on the day after the one of its run's id is late; apart, because each then comes from its index in order
  const places = [
    sql`a.is_late`,
    sql`NOT a.is_late AND a.run_id >= ${firstIdOf(beforeMs - DAY_MS)}::bigint AND a.run_id < ${firstIdOf(untilMs + DAY_MS)}::bigint`,
  ];
  const first = (count: number, order: Sql, condition: Sql): Sql => sql`
      SELECT * FROM (${join(
        places.map(
          (place) => sql`(
          SELECT a.finished_at, a.claimed_at, a.worker, a.error_message, a.error_stack FROM duework.job_attempts AS a
          WHERE ${place} AND ${ofKind} AND ${condition}
          ORDER BY ${order} LIMIT ${count}::integer
        )`,
        ),
        ' UNION ALL ',
      )}) AS a ORDER BY ${order} LIMIT ${count}::integer`;
  const rows = await queryRows<{ beginning: string }>(
    db,
    sql`
    WITH kinds AS MATERIALIZED (
      SELECT l.*, ${errorKind(sql`l.text`)} AS kind
      FROM jsonb_to_recordset(${asked}::text::jsonb) AS l (type text, code text, "errorType" text, text text, place integer)
    ),
    code AS MATERIALIZED (
      SELECT worker, started_at, code_version FROM duework.worker_contracts
      UNION
      SELECT worker, started_at, code_version FROM duework.past_workers
    )
    SELECT json_build_object(
      'firstMs', date_part('epoch', f.finished_at) * 1000, 'firstWorker', f.worker, 'codeVersion', c.code_version,
      'startedMs', (SELECT date_part('epoch', min(started_at)) * 1000 FROM code WHERE code_version = c.code_version),
      'isOlder', EXISTS (${first(1, sql`a.finished_at`, sql`a.finished_at >= to_timestamp(${beforeMs / 1_000}::float8) AND a.finished_at < ${since}`)}),
      'places', coalesce((
        SELECT json_agg(p.place)
        FROM (
          -- a message may have lines that look like frames
          SELECT substring(replace(n.error_stack, coalesce(n.error_message, ''), '') FROM '\\n +at ((?![^\\n]*(?:node:|node_modules/|<anonymous>))[^\\n]+)') AS place
          FROM (${first(PLACES_OF, sql`a.finished_at DESC`, sql`a.finished_at >= to_timestamp(${beforeMs / 1_000}::float8)`)}) AS n
        ) AS p
        WHERE p.place IS NOT NULL
      ), '[]')
    )::text AS beginning
    FROM kinds AS k
    LEFT JOIN LATERAL (${first(1, sql`a.finished_at`, sql`a.finished_at >= ${since}`)}
    ) AS f ON true
    LEFT JOIN LATERAL (
      SELECT code.code_version
      FROM code
      WHERE code.worker = f.worker AND code.started_at <= f.claimed_at
      ORDER BY code.started_at DESC
      LIMIT 1
    ) AS c ON true
    ORDER BY k.place
  `,
  );
  return rows.map(({ beginning }) => JSON.parse(beginning) as Beginning);
}

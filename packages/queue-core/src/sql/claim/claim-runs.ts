import type { Claim, ClaimedRun, ClaimRequest } from '../../ports/runs.js';
import { ClaimedRow, type RunRow } from './claimed-row.js';
import { readableVersions } from './readable-versions.js';
import { activePauses } from './active-pauses.js';
import { findMark, markLostNumbers, parseExactly, queryRows, sql, type Queryable, toArray } from '@duework/sql';

/** `nowSeconds` is the statement's now; `tookMs` how long it ran in the server, without its commit. */
export interface TimedClaim extends Claim {
  readonly nowSeconds: number;
  readonly tookMs: number;
  /** The pauses that may have kept this claim from runs, each by a name of its own. */
  readonly pauses: readonly string[];
}

/** A place in the claim index, within a queue and priority. */
export interface ClaimBound {
  /** Seconds on the database's clock. */
  readonly runAt: number;
  readonly id: number;
}

/** The lower bound for each priority from 0 to 9: runs up to it are left out. */
export type ClaimBounds = readonly ClaimBound[];

/** Which part of the queue a claim scans. */
export interface ClaimScope {
  readonly bounds: ClaimBounds;
  /**
   * Passes by every run whose row another session has locked or changed. Nearly all of them are being claimed right
   * now, and to try their locks costs as much as to claim others; on a few the lock has been let go of, and an
   * unbounded claim finds those.
   */
  readonly isPassing: boolean;
}

export const PRIORITIES = 10;
const NONE: readonly string[] = [];
export const EVERYWHERE: ClaimScope = {
  bounds: Array.from({ length: PRIORITIES }, () => ({ runAt: -Infinity, id: 0 })),
  isPassing: false,
};

/**
 * Takes up to `limit` due runs of one queue in one atomic statement: running, attempts + 1, a new lease, a higher
 * fence. The most urgent priority comes first, the oldest first within it. Runs of a type or a version that the worker
 * cannot read, or that is paused, are passed by; of a paused queue nothing is looked at.
 *
 * Any number of workers may claim at once: a row that another worker is claiming is skipped, not waited for, and a row
 * that changed since the statement began is checked again under its lock. `ctid = ANY(ARRAY(…))` is evaluated once and
 * has one plan, whatever the statistics say; `IN (SELECT … LIMIT n)` can take more than n rows under a nested loop. A
 * row whose version changed in between is left for the next claim: that delays its run, but never loses it.
 */
export async function claimRuns(
  db: Queryable,
  request: ClaimRequest,
  { bounds, isPassing }: ClaimScope = EVERYWHERE,
): Promise<TimedClaim> {
  const readable = readableVersions(request.contracts);
  const [row] = await queryRows<Row>(
    db,
    sql`
    WITH paused AS MATERIALIZED (
      SELECT kind, name, until
      FROM ${activePauses} AS pause
      WHERE kind = 'type' OR name = ${request.queue}::text
    ),
    -- what this worker may claim now
    open AS MATERIALIZED (
      SELECT r.type, r.version
      FROM unnest(${readable.types}::text[], ${toArray(readable.versions)}::text::integer[]) AS r (type, version)
      WHERE true
        AND NOT EXISTS (SELECT FROM paused WHERE kind = 'queue')
        AND r.type <> ALL(ARRAY(SELECT name FROM paused WHERE kind = 'type'))
    ),
    claimed AS (
      UPDATE duework.job_runs AS r
      SET status = 'running',
          attempts = r.attempts + 1,
          fence = r.fence + 1,
          locked_by = ${request.worker}::text,
          locked_until = now() + (SELECT ${toArray(readable.leasesMs)}::text::float8[])[array_position(${readable.types}::text[], r.job_type)]
            * interval '1 millisecond',
          claimed_at = now()
      WHERE r.ctid = ANY(ARRAY(
        SELECT due.ctid
        -- priority by priority, because an index range of "run_at <= now()" can only follow an equality
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
          SELECT j.ctid
          FROM duework.job_runs AS j
          WHERE j.queue = ${request.queue}::text
            AND j.priority = p.priority::smallint
            -- the condition of the index: what is held is let in first
            AND j.held_by IS NULL
            -- running rows are in this index as well, so that a claim need not change it
            AND j.status IN ('queued', 'failed')
            AND j.run_at <= now()
            -- what has not started in time never does: a chore cancels it
            AND (j.terms IS NULL OR ((j.terms ->> 'expiresAt')::timestamptz <= now()
              AND j.attempts = 0 AND j.snoozed_at IS NULL AND j.releases IS NULL) IS NOT TRUE)
            -- the lower bound: entries of runs that were claimed, or cannot be vacuumed yet, are not scanned again
            AND (j.run_at, j.id) > (
              to_timestamp((SELECT ${toArray(bounds.map(({ runAt }) => runAt))}::text::float8[])[p.priority + 1]),
              (SELECT ${toArray(bounds.map(({ id }) => id))}::text::bigint[])[p.priority + 1]
            )
            -- a hash table that is made once: a look into it costs 0.1 µs, however many types there are; without IS TRUE
            -- the types would become a join whose order follows the statistics
            AND ((j.job_type, j.job_version) IN (SELECT type, version FROM open)) IS TRUE
            -- who lets in locks a row before it changes it, and the new one keeps that mark
            AND (NOT ${isPassing}::boolean OR j.xmax = '0'::xid OR j.gates IS NOT NULL)
          ORDER BY j.run_at, j.id
          LIMIT ${request.limit}::integer
          FOR UPDATE SKIP LOCKED
        ) AS due
        -- of a paused queue nothing is looked at
        WHERE EXISTS (SELECT FROM open)
        LIMIT ${request.limit}::integer
      ))
      RETURNING r.id, r.job_type, r.job_version, r.priority, r.payload, r.idempotency_key, r.attempts, r.max_attempts, r.fence,
        r.run_at, r.created_at, r.meta, r.gates,
        -- of what has started before, no moment is told until which it has to
        CASE WHEN r.attempts = 1 AND r.snoozed_at IS NULL AND r.releases IS NULL THEN r.terms ELSE r.terms - 'expiresAt' END AS terms
    )
    -- One JSON text for the whole batch: decoding rows would cost more than the statement, and column names would double
    -- the text. PostgreSQL's JSON functions look up the type of every value; format() does so only when it differs from
    -- the value before, hence the casts to bigint. Times are sent as ages in microseconds, because a shorter number is
    -- formatted faster. A job type is a name of ours and needs no quoting.
    SELECT '[' || string_agg(format('["%s",%s,%s,%s,%s,%s,%s,%s,"%s",%s,%s%s]',
        c.id, c.fence, c.job_version::bigint, c.priority::bigint, c.attempts::bigint, c.max_attempts::bigint,
        (date_part('epoch', now() - c.run_at) * 1e6)::bigint,
        -- an infinite age cannot be cast to a number
        (date_part('epoch', now() - greatest(least(c.created_at, now()), 'epoch')) * 1e6)::bigint,
        c.job_type, coalesce(to_json(c.idempotency_key)::text, 'null'), c.payload::text,
        -- null adds nothing
        CASE WHEN c.gates IS NULL AND c.terms IS NULL THEN ',' || c.meta::text
          ELSE ',' || coalesce(c.meta::text, 'null')
            || ',{"gates":' || coalesce(array_to_json(c.gates)::text, 'null') || ',"terms":' || coalesce(c.terms::text, 'null') || '}' END
      ), ',' ORDER BY c.priority, c.run_at, c.id) || ']' AS runs,
      date_part('epoch', now()) AS now_seconds,
      CASE WHEN count(*) = 0 THEN (
        SELECT date_part('epoch', least(
          min(next.run_at)
          , (SELECT min(until) FROM paused)
        ) - now()) * 1000
        FROM generate_series(0, 9) AS p (priority)
        CROSS JOIN LATERAL (
          SELECT j.run_at
          FROM duework.job_runs AS j
          WHERE j.queue = ${request.queue}::text
            AND j.priority = p.priority::smallint
            AND j.held_by IS NULL
            AND j.status IN ('queued', 'failed')
            AND j.run_at > now()
          ORDER BY j.run_at
          LIMIT 1
        ) AS next
        WHERE EXISTS (SELECT FROM open)
      ) END AS due_in_ms,
      (SELECT string_agg(kind || ' ' || name, chr(10)) FROM paused) AS pauses,
      date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000 AS took_ms
    FROM claimed AS c
  `,
  );
  const { runs, now_seconds: nowSeconds, due_in_ms: dueInMs, took_ms: tookMs } = row!;
  // hardly ever is anything paused
  const pauses = row!.pauses?.split('\n') ?? NONE;
  const nowMicros = Math.round(nowSeconds * 1e6);
  return {
    runs: runs === null ? [] : readRuns(runs, request.queue, nowMicros),
    dueInMs,
    nowSeconds,
    tookMs,
    pauses,
  };
}

/** The runs that a settlement has taken for its worker, as `duework.let_in_and_take` returns them. */
export function readTaken(text: string): ClaimedRun[] {
  const { rows, found } = readRows(text);
  return rows.map((row, at) => new ClaimedRow(row, row[13]!, Math.round(row[14]! * 1e6), markOf(found, at)));
}

/** As `jsonb` is written: a payload's number of so many digits may be more than JavaScript's numbers hold. */
const LONG_NUMBER = /[:[,] ?-?\d{16}/;

/** A payload that SQL has written may have a number that the handler would get as another one. */
function readRows(runs: string): { readonly rows: RunRow[]; readonly found: RunRow[] | null } {
  const marked = LONG_NUMBER.test(runs) ? markLostNumbers(runs) : null;
  if (marked === null) return { rows: JSON.parse(runs) as RunRow[], found: null };
  return { rows: parseExactly(runs) as RunRow[], found: JSON.parse(marked) as RunRow[] };
}

const markOf = (found: RunRow[] | null, at: number): readonly string[] | null =>
  found === null ? null : findMark(found[at]![10]);

function readRuns(text: string, queue: string, nowMicros: number): ClaimedRun[] {
  const { rows, found } = readRows(text);
  return rows.map((row, at) => new ClaimedRow(row, queue, nowMicros, markOf(found, at)));
}

interface Row {
  readonly runs: string | null;
  readonly now_seconds: number;
  readonly due_in_ms: number | null;
  readonly pauses: string | null;
  readonly took_ms: number;
}

import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { QueueSlots } from '../../slots/slots-change.js';

/** The most runs that are shown of one worker. */
const MAX_RUNS = 100;
/** How many due runs of each queue and priority are looked at to find what runs; more than four of them share four times as many. */
const BUDGET = 10_000;
/** A worker renews its leases when a third of them is over. */
const STALLED = 0.5;
/** The session of one that turns sends something every eight seconds, also where it has no lease to renew. */
const QUIET_SECONDS = 15;

/** One worker as its row says it, with the runs whose leases it holds; moments in milliseconds since 1970. */
export interface WorkerRow {
  readonly name: string;
  readonly host: string | null;
  readonly pid: number | null;
  readonly codeVersion: string | null;
  readonly startedMs: number;
  readonly seenMs: number;
  readonly queues: readonly string[];
  readonly contracts: Readonly<Record<string, readonly [oldest: number, newest: number]>>;
  readonly slots: number | null;
  readonly declaredSlots: number | null;
  readonly changedSlots: readonly (Omit<QueueSlots, 'since'> & { readonly sinceMs: number })[];
  readonly running: number | null;
  readonly buffered: number | null;
  readonly loopDelayMs: number | null;
  readonly shutBy: string | null;
  readonly held: number;
  readonly runs: readonly {
    readonly id: string;
    readonly type: string;
    readonly queue: string;
    readonly attempt: number;
    readonly claimedMs: number;
    readonly untilMs: number;
  }[];
  readonly isAtLeast: boolean;
  readonly state: 'claims' | 'shut' | 'silent' | 'stalled' | 'lost';
  readonly stalledMs: number | null;
}

/** The workers that were seen within the last three minutes, by name. */
export async function findWorkers(db: Queryable): Promise<WorkerRow[]> {
  const rows = await queryRows<{ worker: string }>(
    db,
    sql`
    WITH leased AS MATERIALIZED (
      SELECT r.*, row_number() OVER (PARTITION BY r.locked_by ORDER BY r.claimed_at, r.id) AS place
      FROM duework.find_leased_runs(duework.share_budget(${BUDGET}::integer)) AS r
    ),
    runs AS (
      SELECT locked_by AS worker, count(*) AS held, max(claimed_at) AS claimed_at,
        -- the youngest lease of all: how old it is, in milliseconds and as a share
        min(age_ms) AS age_ms, min(age_ms / lease_ms) AS age,
        json_agg(json_build_object(
          'id', id::text, 'type', job_type, 'queue', queue, 'attempt', attempts,
          'claimedMs', extract(epoch FROM claimed_at) * 1000, 'untilMs', extract(epoch FROM locked_until) * 1000
        ) ORDER BY place) FILTER (WHERE place <= ${MAX_RUNS}::integer) AS runs
      FROM (
        SELECT l.*, d.lease_ms, d.lease_ms - extract(epoch FROM l.locked_until - now()) * 1000 AS age_ms
        FROM leased AS l LEFT JOIN duework.job_definitions AS d ON d.type = l.job_type
      ) AS aged
      GROUP BY locked_by
    ),
    -- when each session last sent something: unknown of one whose role the reader may not see, or that a pooler shares
    sessions AS MATERIALIZED (
      SELECT l.objid, extract(epoch FROM now() - max(a.state_change)) AS quiet
      FROM pg_locks AS l
      JOIN pg_stat_activity AS a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = hashtext('duework.workers')::oid
        AND l.mode = 'ShareLock' AND a.datname = current_database()
      GROUP BY l.objid
    ),
    judged AS (
      SELECT w.*, r.held, r.runs,
        CASE WHEN r.age >= ${STALLED}::float8 THEN round(r.age_ms)
          WHEN s.quiet >= ${QUIET_SECONDS}::integer THEN round(s.quiet * 1000) END AS stalled_ms,
        w.worker = ANY(ARRAY(SELECT l.name FROM duework.lost_workers AS l)) AS is_lost,
        w.seen_at <= now() - interval '100 seconds' AS is_silent,
        -- What a worker tells within its first moments is of its start. And what it has claimed since says that it claims again.
        w.shut_by IS NOT NULL AND w.seen_at >= w.started_at + interval '5 seconds'
          AND coalesce(r.claimed_at <= w.seen_at, true) AS is_shut
      FROM duework.worker_contracts AS w
      LEFT JOIN runs AS r ON r.worker = w.worker
      LEFT JOIN sessions AS s ON s.objid = hashtext(w.worker)::oid
      WHERE w.seen_at > now() - interval '3 minutes'
    )
    SELECT json_build_object(
      'name', w.worker, 'host', w.host, 'pid', w.pid, 'codeVersion', w.code_version,
      'startedMs', extract(epoch FROM w.started_at) * 1000, 'seenMs', extract(epoch FROM w.seen_at) * 1000,
      'queues', w.queues, 'contracts', w.contracts, 'slots', w.slots, 'declaredSlots', w.declared_slots,
      'changedSlots', coalesce((
        SELECT json_agg(json_build_object('queue', q.queue, 'slots', q.slots, 'by', q.by, 'reason', q.reason,
          'sinceMs', extract(epoch FROM q.since) * 1000) ORDER BY q.slots, q.queue)
        FROM duework.queue_slots AS q WHERE q.queue = ANY(w.queues)
      ), '[]'), 'running', w.running, 'buffered', w.buffered,
      'loopDelayMs', w.loop_delay_ms, 'shutBy', w.shut_by, 'held', coalesce(w.held, 0), 'runs', coalesce(w.runs, '[]'),
      'isAtLeast', coalesce((SELECT bool_or(is_at_least) FROM leased), false),
      'state', CASE WHEN is_lost THEN 'lost' WHEN stalled_ms IS NOT NULL THEN 'stalled' WHEN is_silent THEN 'silent'
        WHEN is_shut THEN 'shut' ELSE 'claims' END,
      'stalledMs', stalled_ms
    )::text AS worker
    FROM judged AS w
    ORDER BY w.worker
  `,
  );
  return rows.map(({ worker }) => JSON.parse(worker) as WorkerRow);
}

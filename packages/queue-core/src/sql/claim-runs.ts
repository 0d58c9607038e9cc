import type { ClaimedRun } from '../store/store.js';
import { queryRows, sql, type Queryable } from './sql.js';

export interface ClaimRequest {
  readonly queue: string;
  /** The lease of each type this worker knows, in milliseconds; no other type is taken. */
  readonly leaseMsByType: ReadonlyMap<string, number>;
  readonly worker: string;
  readonly limit: number;
}

/**
 * Takes up to `limit` due runs of one queue in one atomic statement: running, attempts + 1, a new lease, a higher fence.
 * The most urgent priority comes first, the oldest first within it.
 *
 * Any number of workers may claim at once: a row that another one is just taking is skipped, not waited for, and one that
 * changed since the statement began is checked again under its lock. `ctid = ANY(ARRAY(…))` is evaluated once and has one
 * plan, whatever the statistics say; `IN (SELECT … LIMIT n)` can take more than n rows under a nested loop.
 * A row whose version changed in between is left for the next claim: a delay, never a loss.
 */
export async function claimRuns(db: Queryable, request: ClaimRequest): Promise<ClaimedRun[]> {
  const leases = JSON.stringify(Object.fromEntries(request.leaseMsByType));
  const [row] = await queryRows<{ runs: string }>(db, sql`
    WITH claimed AS (
      UPDATE duework.job_runs AS r
      SET status = 'running',
          attempts = r.attempts + 1,
          fence = r.fence + 1,
          locked_by = ${request.worker}::text,
          locked_until = now() + (${leases}::text::jsonb ->> r.job_type)::float8 * interval '1 millisecond',
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
            -- literals: a parameter would keep a generic plan from the partial index
            AND j.status IN ('queued', 'failed')
            AND j.run_at <= now()
            AND j.job_type = ANY(${[...request.leaseMsByType.keys()]}::text[])
          ORDER BY j.run_at, j.id
          LIMIT ${request.limit}::integer
          FOR UPDATE SKIP LOCKED
        ) AS due
        LIMIT ${request.limit}::integer
      ))
      RETURNING r.*
    )
    -- one JSON text for the whole batch: decoding rows would cost more than the statement
    SELECT coalesce(json_agg(json_build_object(
      'id', c.id::text, 'type', c.job_type, 'version', c.job_version, 'queue', c.queue, 'priority', c.priority,
      'payload', c.payload, 'idempotencyKey', c.idempotency_key, 'attempt', c.attempts, 'maxAttempts', c.max_attempts,
      'fence', c.fence, 'waitedMs', (extract(epoch FROM c.claimed_at - c.run_at) * 1000)::float8,
      'runAtMs', (extract(epoch FROM c.run_at) * 1000)::float8,
      'createdAtMs', (extract(epoch FROM c.created_at) * 1000)::float8
    ) ORDER BY c.priority, c.run_at, c.id), '[]')::text AS runs
    FROM claimed AS c
  `);
  return JSON.parse(row!.runs) as ClaimedRun[];
}

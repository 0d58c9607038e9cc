import { sql, type Sql } from '@duework/sql';

/** Entries of the claim index that are read at once. */
const PORTION = 1_000;

/**
 * Whether a lease is over, without reading what merely waits. There is no index of leases, for every claim would pay for
 * it. But claims take the oldest first, so of each queue and priority the due runs are read from the oldest on, a
 * thousand at a time, and no further than to a thousand of which nobody has one, nor is taking one (`xmax`: its row is
 * being written).
 *
 * What is behind so many that nobody takes (their type is paused, or no worker has it, or they were enqueued into the
 * past) is left out: the view `running_runs` has those, too, and reads all that is due for them.
 */
export const isLeaseOver: Sql = sql`(
  WITH RECURSIVE places (queue, priority, run_at) AS (
    (SELECT queue, priority, run_at FROM duework.job_runs WHERE held_by IS NULL ORDER BY queue, priority, run_at LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places AS p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority, j.run_at
      FROM duework.job_runs AS j
      WHERE j.held_by IS NULL AND (j.queue, j.priority) > (p.queue, p.priority)
      ORDER BY j.queue, j.priority, j.run_at
      LIMIT 1
    ) AS next
  )
  SELECT bool_or(found.is_over) IS TRUE
  FROM places AS p
  CROSS JOIN LATERAL (
    WITH RECURSIVE portions (run_at, id, is_over) AS (
      SELECT '-infinity'::timestamptz, 0::bigint, false
      UNION ALL
      SELECT portion.*
      FROM portions AS before
      CROSS JOIN LATERAL (
        -- behind what the next portion begins; null: there is none
        SELECT CASE WHEN bool_or(is_taken) THEN (array_agg(run_at))[${PORTION}::integer] END, (array_agg(id))[${PORTION}::integer],
          bool_or(is_over)
        FROM (
          SELECT j.run_at, j.id, j.status = 'running' OR j.xmax <> '0'::xid AS is_taken, j.locked_until < now() AS is_over
          FROM duework.job_runs AS j
          WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
            AND (j.run_at, j.id) > (before.run_at, before.id)
          ORDER BY j.run_at, j.id
          LIMIT ${PORTION}::integer
        ) AS due
      ) AS portion
      WHERE before.run_at IS NOT NULL
    )
    SELECT bool_or(is_over) AS is_over FROM portions
  ) AS found
  WHERE p.run_at <= now()
)`;

-- The workers whose session has ended, and with it the lock that shows that they live: they are gone, or on their way back. The
-- snapshot is taken before the locks are read, and a worker takes its lock before it writes its row: so the worker of a row without
-- a lock has lost it. One that is connected through a pooler has no such row, and is known by when it was seen alone.
CREATE VIEW duework.lost_workers AS
  SELECT w.name
  FROM duework.workers AS w
  WHERE hashtext(w.name)::oid <> ALL(ARRAY(
    SELECT l.objid
    FROM pg_locks AS l
    WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = hashtext('duework.workers')::oid
      AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
      -- a session that forgets a worker, or rescues its runs, holds the worker's lock exclusively
      AND l.mode = 'ShareLock'
  ));

-- As before, and a worker that is lost reads nothing.
CREATE OR REPLACE FUNCTION duework.count_unread_jobs(budget integer)
RETURNS TABLE (queue text, job_type text, job_version integer, waiting bigint, oldest_due_at timestamptz, is_at_least boolean)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (queue, priority) AS (
    (SELECT r.queue, r.priority FROM duework.job_runs r ORDER BY r.queue, r.priority LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority FROM duework.job_runs j WHERE (j.queue, j.priority) > (p.queue, p.priority)
      ORDER BY j.queue, j.priority LIMIT 1
    ) next
  ),
  counted AS MATERIALIZED (
    SELECT p.queue, w.job_type, w.job_version, count(*) FILTER (WHERE w.status <> 'running') AS waiting,
      min(w.run_at) FILTER (WHERE w.status <> 'running') AS oldest_due_at,
      sum(count(*)) OVER (PARTITION BY p.queue, p.priority) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.job_type, j.job_version, j.status, j.run_at
      FROM duework.job_runs j
      WHERE j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
      ORDER BY j.run_at
      LIMIT budget
    ) w
    GROUP BY p.queue, p.priority, w.job_type, w.job_version
  )
  SELECT c.queue, c.job_type, c.job_version, sum(c.waiting)::bigint, min(c.oldest_due_at), bool_or(c.is_at_least)
  FROM counted c
  WHERE c.waiting > 0
    AND NOT EXISTS (
      SELECT FROM duework.worker_contracts w
      WHERE c.queue = ANY(w.queues)
        AND c.job_version BETWEEN (w.contracts -> c.job_type ->> 0)::integer AND (w.contracts -> c.job_type ->> 1)::integer
        AND w.seen_at > now() - interval '3 minutes'
        -- guard: unread-of-lost
        AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
        -- guard end: unread-of-lost
    )
  GROUP BY c.queue, c.job_type, c.job_version
$$;

-- How many runs of each queue and priority are looked at, where `budget` would be of one: together four times as many, and a tenth of it of
-- each at least. What waits is told within the same time, however many queues there are.
CREATE FUNCTION duework.share_budget(budget integer) RETURNS integer
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
  )
  SELECT greatest(budget / 10, least(budget, 4 * budget / greatest(count(*), 1)))::integer FROM places
$$;

CREATE OR REPLACE VIEW duework.queue_depth AS SELECT * FROM duework.count_queue_depth(duework.share_budget(10000));
CREATE OR REPLACE VIEW duework.unread_jobs AS SELECT * FROM duework.count_unread_jobs(duework.share_budget(10000));

-- Where each worker runs, and how busy it is, written once a minute with what it can run.
ALTER TABLE duework.worker_contracts
  ADD COLUMN started_at    timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN host          text,
  ADD COLUMN pid           integer,
  ADD COLUMN code_version  text,
  ADD COLUMN slots         integer,
  ADD COLUMN running       integer,
  ADD COLUMN buffered      integer,
  ADD COLUMN loop_delay_ms double precision,
  ADD COLUMN shut_by       text;

-- Workers that have stopped or vanished: tells who could run a type last, and when.
CREATE TABLE duework.past_workers (
  worker       text        NOT NULL,
  started_at   timestamptz NOT NULL,
  seen_at      timestamptz NOT NULL,
  queues       text[]      NOT NULL,
  contracts    jsonb       NOT NULL,
  host         text,
  pid          integer,
  code_version text,
  CONSTRAINT past_workers_pkey PRIMARY KEY (worker, started_at)
);
CREATE INDEX past_workers_seen_idx ON duework.past_workers (seen_at);
COMMENT ON TABLE duework.past_workers IS 'Workers that have stopped or vanished, for 30 days';

-- Claimed runs and who runs them: among the first `budget` runs of each queue and priority that are due, where claims take theirs
-- from. `is_at_least`: more was due than was looked at.
CREATE FUNCTION duework.find_leased_runs(budget integer)
RETURNS TABLE (id bigint, queue text, job_type text, job_version integer, locked_by text, locked_until timestamptz, claimed_at timestamptz,
  attempts integer, is_at_least boolean)
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
  walked AS MATERIALIZED (
    SELECT w.*, count(*) OVER (PARTITION BY w.queue, w.priority) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.id, j.queue, j.priority, j.job_type, j.job_version, j.status, j.locked_by, j.locked_until, j.claimed_at, j.attempts
      FROM duework.job_runs j
      WHERE j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
      ORDER BY j.run_at
      LIMIT budget
    ) w
  )
  SELECT w.id, w.queue, w.job_type, w.job_version, w.locked_by, w.locked_until, w.claimed_at, w.attempts,
    bool_or(w.is_at_least) OVER ()
  FROM walked w
  WHERE w.status = 'running'
$$;

-- How many due runs a claim takes before this one: the more urgent priorities, then the older ones, of the types that are given. It looks
-- at `budget` runs of each priority at the most; `is_at_least`: there were more to look at.
CREATE FUNCTION duework.count_runs_ahead(of_id bigint, of_types text[], budget integer)
RETURNS TABLE (ahead bigint, is_at_least boolean)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH run AS MATERIALIZED (SELECT r.id, r.queue, r.priority, r.run_at FROM duework.job_runs r WHERE r.id = of_id),
  walked AS MATERIALIZED (
    SELECT w.*
    FROM run
    CROSS JOIN generate_series(0, 9) AS p (priority)
    CROSS JOIN LATERAL (
      SELECT p.priority, j.job_type, j.status
      FROM duework.job_runs j
      WHERE j.queue = run.queue AND j.priority = p.priority::smallint AND j.run_at <= now()
        AND (j.run_at, j.id) < (CASE WHEN p.priority = run.priority THEN run.run_at ELSE 'infinity' END, run.id)
      ORDER BY j.run_at, j.id
      LIMIT budget
    ) w
    WHERE p.priority <= run.priority
  )
  SELECT coalesce(sum(c.ahead), 0)::bigint, coalesce(bool_or(c.walked >= budget), false)
  FROM (
    SELECT count(*) AS walked, count(*) FILTER (WHERE w.status <> 'running' AND w.job_type = ANY(of_types)) AS ahead
    FROM walked w GROUP BY w.priority
  ) c
$$;

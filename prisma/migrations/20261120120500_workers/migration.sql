-- Workers: which of them live, what each can run, and what nobody can.
--
-- Nothing here decides who runs what: leases do. It tells operators, and it lets a worker that was killed be noticed
-- within seconds.

-- Workers that can be told by their session: each holds an advisory lock as long as it lives (register-worker), so
-- that one that was killed is seen long before its leases end. A row without a lock is a worker that is gone, or on
-- its way back.
CREATE TABLE duework.workers (
  name       text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT workers_pkey PRIMARY KEY (name)
);

-- The workers whose session has ended, and with it the lock that shows that they live: they are gone, or on their way
-- back. The snapshot is taken before the locks are read, and a worker takes its lock before it writes its row: so the
-- worker of a row without a lock has lost it. One that is connected through a pooler has no such row, and is known by
-- when it was seen alone.
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

-- What each worker can run, where it runs and how busy it is: written when it starts and once a minute, removed when
-- it stops or is found gone. Apart from `workers`, because a worker behind a pooler has no session of its own: its
-- row is old after three minutes.
CREATE TABLE duework.worker_contracts (
  worker        text COLLATE "C" NOT NULL,
  queues        text[]      NOT NULL,
  -- for each type the oldest and the newest version that it reads: {"send_mail": [1, 3]}
  contracts     jsonb       NOT NULL,
  -- the types whose runs it keeps for other times than others, in days: {"send_mail": [7, null]}; null: none
  keeps         jsonb,
  seen_at       timestamptz NOT NULL DEFAULT now(),
  started_at    timestamptz NOT NULL DEFAULT now(),
  host          text,
  pid           integer,
  code_version  text,
  slots         integer,
  running       integer,
  buffered      integer,
  loop_delay_ms double precision,
  shut_by       text,
  -- what its program was given; "slots" is what holds
  declared_slots integer,
  -- the newest migration that its release knows: it may need what that has made
  needs         text,
  CONSTRAINT worker_contracts_pkey PRIMARY KEY (worker)
);
-- Retention: nobody's rows are read where no worker keeps any type for a time of its own.
CREATE INDEX worker_contracts_keeps_idx ON duework.worker_contracts (worker) WHERE keeps IS NOT NULL;

-- How many handlers the workers of a queue run at once, whatever their programs were given: until it is taken back. Workers
-- read it when they ask for chores.
CREATE TABLE duework.queue_slots (
  queue  text COLLATE "C" NOT NULL,
  slots  integer     NOT NULL,
  since  timestamptz NOT NULL DEFAULT now(),
  by     text,
  reason text,
  CONSTRAINT queue_slots_pkey PRIMARY KEY (queue),
  CONSTRAINT queue_slots_slots_check CHECK (slots BETWEEN 1 AND 1000)
);
COMMENT ON TABLE duework.queue_slots IS 'How many handlers the workers of a queue run at once, if an operator has changed it';

-- Workers that have stopped or vanished: tells who could run a type last, and when.
CREATE TABLE duework.past_workers (
  worker       text COLLATE "C" NOT NULL,
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

-- What is due and waits for a worker that can read it, while none of those that live can: by queue, type and version.
-- Of each queue and priority it looks at the first `budget` runs that are due. What nobody reads is soon among them,
-- because all else is claimed. A worker that is lost reads nothing.
CREATE FUNCTION duework.count_unserved_jobs(budget integer)
RETURNS TABLE (queue text, job_type text, job_version integer, waiting bigint, oldest_due_at timestamptz,
  is_at_least boolean)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (queue, priority) AS (
    (SELECT r.queue, r.priority FROM duework.job_runs r WHERE r.held_by IS NULL ORDER BY r.queue, r.priority LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority FROM duework.job_runs j
      WHERE j.held_by IS NULL AND (j.queue, j.priority) > (p.queue, p.priority)
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
      WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
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
        AND c.job_version BETWEEN (w.contracts -> c.job_type ->> 0)::integer
          AND (w.contracts -> c.job_type ->> 1)::integer
        AND w.seen_at > now() - interval '3 minutes'
        AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
    )
  GROUP BY c.queue, c.job_type, c.job_version
$$;

CREATE VIEW duework.unserved_jobs AS SELECT * FROM duework.count_unserved_jobs(duework.share_budget(10000));

-- Claimed runs and who runs them: among the first `budget` runs of each queue and priority that are due, where claims
-- take theirs from. `is_at_least`: more was due than was looked at.
CREATE FUNCTION duework.find_leased_runs(budget integer)
RETURNS TABLE (id bigint, queue text, job_type text, job_version integer, locked_by text, locked_until timestamptz,
  claimed_at timestamptz,
  attempts integer, is_at_least boolean)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (queue, priority) AS (
    (SELECT r.queue, r.priority FROM duework.job_runs r WHERE r.held_by IS NULL ORDER BY r.queue, r.priority LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority FROM duework.job_runs j
      WHERE j.held_by IS NULL AND (j.queue, j.priority) > (p.queue, p.priority)
      ORDER BY j.queue, j.priority LIMIT 1
    ) next
  ),
  walked AS MATERIALIZED (
    SELECT w.*, count(*) OVER (PARTITION BY w.queue, w.priority) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.id, j.queue, j.priority, j.job_type, j.job_version, j.status, j.locked_by, j.locked_until, j.claimed_at,
        j.attempts
      FROM duework.job_runs j
      WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
      ORDER BY j.run_at
      LIMIT budget
    ) w
  )
  SELECT w.id, w.queue, w.job_type, w.job_version, w.locked_by, w.locked_until, w.claimed_at, w.attempts,
    bool_or(w.is_at_least) OVER ()
  FROM walked w
  WHERE w.status = 'running'
$$;

-- How many due runs a claim takes before this one: the more urgent priorities, then the older ones, of the types that
-- are given. It looks at `budget` runs of each priority at the most; `is_at_least`: there were more to look at.
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
      WHERE j.held_by IS NULL AND j.queue = run.queue AND j.priority = p.priority::smallint AND j.run_at <= now()
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

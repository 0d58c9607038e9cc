-- Duework: what should exist (job_definitions), what should run (job_runs), what ran (job_history, job_attempts).
--
-- job_runs holds live rows only. The statement that settles a run moves it to job_history, which is partitioned by status, and
-- what has succeeded by the day that its id carries: every hot index stays as small as the live work, a run is found by its id in
-- one partition however many days are kept, retention drops whole days of what there is much of, and what is dead can be kept for
-- longer, listed and deleted by itself.
-- There are no foreign keys: they would lock rows of hot tables (multixacts) and tie retention to row deletes.

-- not IF NOT EXISTS, which asks for the right to make schemas even where this one was made before
DO $$ BEGIN
  IF to_regnamespace('duework') IS NULL THEN CREATE SCHEMA duework; END IF;
END $$;

-- Which migrations were applied: each records itself, by its own last statement, whatever tool runs it.
CREATE TABLE duework.migrations (
  name       text        NOT NULL,
  -- of the text that was released, so that a changed one is found out
  checksum   text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE duework.job_definitions (
  type            text        NOT NULL,
  version         integer     NOT NULL,
  queue           text        NOT NULL,
  priority        smallint    NOT NULL,
  max_attempts    integer     NOT NULL,
  timeout_ms      integer     NOT NULL,
  lease_ms        integer     NOT NULL,
  retry           jsonb       NOT NULL,
  payload_schema  jsonb       NOT NULL,
  default_payload jsonb,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_definitions_pkey PRIMARY KEY (type),
  CONSTRAINT job_definitions_type_check CHECK (type ~ '^[a-z][a-z0-9_]{0,62}$'),
  CONSTRAINT job_definitions_limits_check CHECK (
    version >= 1 AND priority BETWEEN 0 AND 9 AND max_attempts >= 1 AND timeout_ms >= 1 AND lease_ms >= 1000
  )
);

-- An id carries the UTC day on which its run was created: days since 1970, times 100,000,000,000, plus a number of the sequence,
-- which starts anew when it has counted so far. Ids stay below 2^53, which JavaScript's numbers hold, until the year 2216.
CREATE SEQUENCE duework.job_runs_id_seq AS bigint MAXVALUE 99999999999 CYCLE;

-- The lowest id of a day.
CREATE FUNCTION duework.first_id_of(day date) RETURNS bigint
LANGUAGE sql
IMMUTABLE
AS $$ SELECT (day - DATE '1970-01-01') * 100000000000 $$;

-- The day that an id carries.
CREATE FUNCTION duework.day_of_id(id bigint) RETURNS date
LANGUAGE sql
IMMUTABLE
AS $$ SELECT DATE '1970-01-01' + (id / 100000000000)::integer $$;

-- The lowest id of today, `days` days later; in UTC, whatever the session's time zone.
CREATE FUNCTION duework.first_id_today(days integer) RETURNS bigint
LANGUAGE sql
STABLE
AS $$ SELECT (floor(date_part('epoch', now()) / 86400)::bigint + days) * 100000000000 $$;

CREATE FUNCTION duework.next_run_id() RETURNS bigint
LANGUAGE sql
AS $$ SELECT duework.first_id_today(0) + nextval('duework.job_runs_id_seq') $$;

CREATE TABLE duework.job_runs (
  id                  bigint      NOT NULL DEFAULT duework.next_run_id(),
  queue               text        NOT NULL,
  job_type            text        NOT NULL,
  job_version         integer     NOT NULL,
  status              text        NOT NULL DEFAULT 'queued',
  priority            smallint    NOT NULL,
  run_at              timestamptz NOT NULL,
  payload             jsonb       NOT NULL,
  idempotency_key     text,
  attempts            integer     NOT NULL DEFAULT 0,
  max_attempts        integer     NOT NULL,
  -- Every claim increases it and nothing ever lowers it: whoever writes must name the number it was given.
  fence               bigint      NOT NULL DEFAULT 0,
  locked_by           text,
  locked_until        timestamptz,
  claimed_at          timestamptz,
  failed_at           timestamptz,
  error_code          text,
  error_type          text,
  last_error          text,
  cancel_requested_at timestamptz,
  cancel_requested_by text,
  cancel_reason       text,
  -- the handler's own words about how far it is
  progress            jsonb,
  created_at          timestamptz NOT NULL DEFAULT now(),
  -- how often its handler asked for later, and when it last did: all that stays of a snooze, because a row for each would be a
  -- thousand rows for a run that nothing is wrong with
  snoozes             integer     NOT NULL DEFAULT 0,
  snoozed_at          timestamptz,
  -- what its producer's tracing wants to find again beside the payload: an object of texts
  meta                jsonb,
  CONSTRAINT job_runs_pkey PRIMARY KEY (id),
  CONSTRAINT job_runs_priority_check CHECK (priority BETWEEN 0 AND 9),
  -- One for all states, because every statement that writes reads the text of its constraints anew: seven of them were 30 of the 75 µs
  -- of an enqueue of one.
  CONSTRAINT job_runs_state_check CHECK (
    CASE WHEN status = 'running'
      -- A run has a lease exactly while it is running, and only then it can be asked to stop.
      THEN attempts BETWEEN 1 AND max_attempts AND fence >= 1 AND (locked_by, locked_until, claimed_at) IS NOT NULL
      -- One that waits has an attempt left to spend; a failed one says what failed and when.
      ELSE attempts BETWEEN 0 AND max_attempts - 1 AND fence >= 0 AND (locked_by, locked_until, cancel_requested_at) IS NULL
        AND (status = 'queued' OR (status = 'failed' AND (failed_at, error_code, last_error) IS NOT NULL))
    END
  )
) WITH (
  -- More than half of each page is for the versions that claims make of its rows. Nothing that a claim writes is in an index, or in
  -- the condition of one, so that no index gets an entry for them (HOT): a sixth of what a drain costs the server.
  fillfactor = 45,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
ALTER SEQUENCE duework.job_runs_id_seq OWNED BY duework.job_runs.id;

-- claim-runs: due work of one queue and priority, oldest first. running_runs: what was claimed, which is the oldest. All states, and
-- no index of leases, because a column that claims write would cost an entry in every index.
CREATE INDEX job_runs_claim_idx ON duework.job_runs (queue, priority, run_at, id);
-- walk_jobs: what waits for a retry, newest first. Claims leave failed_at as it is, so that they write nothing here either.
CREATE INDEX job_runs_failed_idx ON duework.job_runs (id) WHERE failed_at IS NOT NULL;

CREATE TABLE duework.job_history (
  id                  bigint      NOT NULL,
  queue               text        NOT NULL,
  job_type            text        NOT NULL,
  job_version         integer     NOT NULL,
  status              text        NOT NULL,
  priority            smallint    NOT NULL,
  run_at              timestamptz NOT NULL,
  payload             jsonb       NOT NULL,
  idempotency_key     text,
  attempts            integer     NOT NULL,
  max_attempts        integer     NOT NULL,
  fence               bigint      NOT NULL,
  worker              text,
  claimed_at          timestamptz,
  failed_at           timestamptz,
  error_code          text,
  error_type          text,
  last_error          text,
  cancel_requested_at timestamptz,
  cancel_requested_by text,
  cancel_reason       text,
  result              jsonb,
  created_at          timestamptz NOT NULL,
  finished_at         timestamptz NOT NULL,
  -- False where others of its type succeeded in the same statement, and one of them stands for all in last_runs: an index entry
  -- for each of them would be a tenth of what settling costs.
  is_newest           boolean     NOT NULL DEFAULT true,
  snoozes             integer     NOT NULL DEFAULT 0,
  snoozed_at          timestamptz,
  -- somebody has looked at a dead run and left it dead; who retries one takes it from here
  acknowledged_at     timestamptz,
  -- it succeeded later than on the day after the one that its id carries
  is_late             boolean     NOT NULL DEFAULT false,
  meta                jsonb,
  CONSTRAINT job_history_state_check CHECK (
    CASE status
      WHEN 'succeeded' THEN attempts >= 1 AND (worker, claimed_at) IS NOT NULL
      WHEN 'dead' THEN (failed_at, error_code, last_error) IS NOT NULL
      WHEN 'cancelled' THEN cancel_requested_at IS NOT NULL
      ELSE false
    END
  )
) PARTITION BY LIST (status);

-- Nearly all runs: by the day that their id carries. They finished on that day or on the next one, so that a day can be dropped
-- whole, and its rows are not kept for much longer than others. No key of the parent, which would have to name the status in every
-- entry.
CREATE TABLE duework.job_history_succeeded PARTITION OF duework.job_history FOR VALUES IN ('succeeded') PARTITION BY LIST (is_late);
CREATE TABLE duework.job_history_days PARTITION OF duework.job_history_succeeded (
  CONSTRAINT job_history_days_pkey PRIMARY KEY (id)
) FOR VALUES IN (false) PARTITION BY RANGE (id);
CREATE TABLE duework.job_history_days_default PARTITION OF duework.job_history_days DEFAULT;

-- What succeeded later than that, after a long delay or a retry: rows that retention deletes.
CREATE TABLE duework.job_history_late PARTITION OF duework.job_history_succeeded (
  CONSTRAINT job_history_late_pkey PRIMARY KEY (id)
) FOR VALUES IN (true) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- Few, and each kept for as long as its status is: rows that retention deletes.
CREATE TABLE duework.job_history_dead PARTITION OF duework.job_history (
  CONSTRAINT job_history_dead_pkey PRIMARY KEY (id)
) FOR VALUES IN ('dead') WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
CREATE TABLE duework.job_history_cancelled PARTITION OF duework.job_history (
  CONSTRAINT job_history_cancelled_pkey PRIMARY KEY (id)
) FOR VALUES IN ('cancelled') WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- last_runs: the newest finished run of a type.
CREATE INDEX job_history_last_run_idx ON duework.job_history (job_type, finished_at) WHERE is_newest;
-- retain_rows: the oldest. Alerts: who died within the hour.
CREATE INDEX job_history_dead_finished_at_idx ON duework.job_history_dead (finished_at);
CREATE INDEX job_history_cancelled_finished_at_idx ON duework.job_history_cancelled (finished_at);
CREATE INDEX job_history_late_finished_at_idx ON duework.job_history_late (finished_at);
-- raise_alerts: dead runs that go before anybody has looked at them.
CREATE INDEX job_history_dead_unseen_idx ON duework.job_history_dead (finished_at) WHERE acknowledged_at IS NULL;

-- Every attempt that failed or was interrupted. The last attempt of a run stands on the run itself too.
CREATE TABLE duework.job_attempts (
  run_id        bigint      NOT NULL,
  fence         bigint      NOT NULL,
  attempt       integer     NOT NULL,
  job_type      text        NOT NULL,
  outcome       text        NOT NULL,
  worker        text        NOT NULL,
  claimed_at    timestamptz NOT NULL,
  finished_at   timestamptz NOT NULL DEFAULT now(),
  error_code    text,
  error_type    text,
  error_message text,
  error_stack   text,
  -- why the handler was told to stop, and how far that had to go: it ended on its signal, its thread was killed after the
  -- grace, or it was left running with its lease revoked
  abort_code    text,
  abort_stage   text,
  -- it ended later than on the day after the one that its run's id carries
  is_late       boolean     NOT NULL DEFAULT false,
  CONSTRAINT job_attempts_outcome_check CHECK (outcome IN ('failed', 'lost', 'interrupted', 'cancelled')),
  CONSTRAINT job_attempts_error_check CHECK (outcome = 'interrupted' OR outcome = 'cancelled' OR error_code IS NOT NULL),
  CONSTRAINT job_attempts_stack_check CHECK (char_length(error_stack) <= 8192),
  CONSTRAINT job_attempts_abort_check CHECK (
    (abort_code IS NULL) = (abort_stage IS NULL) AND abort_stage IN ('signalled', 'killed', 'lease_revoked')
  )
) PARTITION BY LIST (is_late);
CREATE TABLE duework.job_attempts_days PARTITION OF duework.job_attempts (
  CONSTRAINT job_attempts_days_pkey PRIMARY KEY (run_id, fence)
) FOR VALUES IN (false) PARTITION BY RANGE (run_id);
CREATE TABLE duework.job_attempts_days_default PARTITION OF duework.job_attempts_days DEFAULT;
CREATE TABLE duework.job_attempts_late PARTITION OF duework.job_attempts (
  CONSTRAINT job_attempts_late_pkey PRIMARY KEY (run_id, fence)
) FOR VALUES IN (true) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
CREATE INDEX job_attempts_late_finished_at_idx ON duework.job_attempts_late (finished_at);

-- One business event, one run. A table of its own, because a unique constraint cannot span the partitions of the
-- history, and because only runs with a key should pay for it.
CREATE TABLE duework.job_keys (
  job_type   text        NOT NULL,
  key        text        NOT NULL,
  run_id     bigint      NOT NULL,
  -- null: as long as the run or its history is kept, which is also the end of a longer window
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when retention last saw its run: the key is not looked at again before that run's history may be old enough
  needed_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_keys_pkey PRIMARY KEY (job_type, key),
  CONSTRAINT job_keys_key_check CHECK (char_length(key) BETWEEN 1 AND 255)
) WITH (
  -- an enqueue that finds its key taken writes a new version of the row: in its own page, with no index touched
  fillfactor = 90,
  -- retention deletes a day's keys among many days': the default, a fifth of the table, would let them lie for a week
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
-- retain_with_runs: keys whose run may be gone. retain_expired_keys: keys whose window is over.
CREATE INDEX job_keys_needed_at_idx ON duework.job_keys (needed_at);
CREATE INDEX job_keys_expired_idx ON duework.job_keys (expires_at) WHERE expires_at IS NOT NULL;

-- What left the system, so that it happens once: a row is written before the effect and completed after it. `run_key` is
-- the run's business key, so that a second run for the same event finds it.
CREATE TABLE duework.job_effects (
  job_type   text        NOT NULL,
  run_key    text        NOT NULL,
  name       text        NOT NULL,
  -- started: it may have happened; done: it has; unknown: a worker died in between, and a person has to look; approved:
  -- somebody has, and wants it done again
  status     text        NOT NULL DEFAULT 'started',
  run_id     bigint      NOT NULL,
  fence      bigint      NOT NULL,
  result     jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  done_at    timestamptz,
  -- as in job_keys
  needed_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_effects_pkey PRIMARY KEY (job_type, run_key, name),
  CONSTRAINT job_effects_status_check CHECK (status IN ('started', 'done', 'unknown', 'approved')),
  CONSTRAINT job_effects_done_check CHECK ((status = 'done') = (done_at IS NOT NULL))
) WITH (
  -- each row is written twice, begun and done; the second time in its own page, with no index touched
  fillfactor = 90,
  -- as for job_keys
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
-- retain_with_runs: effects whose run may be gone.
CREATE INDEX job_effects_needed_at_idx ON duework.job_effects (needed_at);
-- retry_run: the effects of a run that nobody knows about. Not only those: an index that names the status would make every effect's end write all indexes
CREATE INDEX job_effects_run_id_idx ON duework.job_effects (run_id);

-- An alert is raised once by whichever worker sees it first; the row is the referee.
CREATE TABLE duework.job_alerts (
  name      text        NOT NULL,
  raised_at timestamptz NOT NULL,
  facts     jsonb       NOT NULL,
  CONSTRAINT job_alerts_pkey PRIMARY KEY (name)
);

-- Workers that can be told by their session: each holds an advisory lock as long as it lives (register-worker), so that one
-- that was killed is seen long before its leases end. A row without a lock is a worker that is gone, or on its way back.
CREATE TABLE duework.workers (
  name       text        NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT workers_pkey PRIMARY KEY (name)
);

-- What each worker can run, to tell what nobody can: written when it starts and once a minute, removed when it stops or is found
-- gone. Apart from `workers`, because a worker behind a pooler has no session of its own: its row is old after three minutes.
CREATE TABLE duework.worker_contracts (
  worker    text        NOT NULL,
  queues    text[]      NOT NULL,
  -- for each type the oldest and the newest version that it reads: {"send_mail": [1, 3]}
  contracts jsonb       NOT NULL,
  seen_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT worker_contracts_pkey PRIMARY KEY (worker)
);

-- Makes the daily partitions up to `days_ahead` days from now, from today, or from `days_back` days before it, and returns how many it
-- made. Any number of workers may call it at once. Rows that reached the default partition before their day had one are moved into it.
CREATE FUNCTION duework.ensure_partitions(days_ahead integer, days_back integer DEFAULT 0) RETURNS integer
LANGUAGE plpgsql
SET lock_timeout = '5s'
AS $$
DECLARE
  parent record;
  day    date;
  name   text;
  made   integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('duework.partitions', 0));
  FOR parent IN
    SELECT *
    FROM (VALUES ('job_history_days', 'job_history_succeeded', 'id'), ('job_attempts_days', 'job_attempts', 'run_id')) AS p (days, name, id)
  LOOP
    FOR i IN -days_back..days_ahead LOOP
      day := duework.day_of_id(duework.first_id_today(i));
      name := parent.name || '_' || to_char(day, 'YYYYMMDD');
      CONTINUE WHEN to_regclass('duework.' || name) IS NOT NULL;
      -- Nobody may add a row to the default partition between the move and the attachment.
      EXECUTE format('LOCK TABLE duework.%I IN ACCESS EXCLUSIVE MODE', parent.days || '_default');
      -- Rows are added for two days, hardly any is changed, and all of them go at once. Each page is frozen while it is still in
      -- the cache, so that no vacuum against wraparound has to read the history; statistics, which no statement here depends
      -- on, are taken when a partition has doubled, because ANALYZE holds a snapshot.
      EXECUTE format(
        'CREATE TABLE duework.%I (LIKE duework.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (
           autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000, autovacuum_freeze_min_age = 0,
           autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 10000)',
        name, parent.days);
      EXECUTE format(
        'WITH moved AS (DELETE FROM duework.%1$I WHERE %2$I >= %3$s AND %2$I < %4$s RETURNING *)
         INSERT INTO duework.%5$I SELECT * FROM moved',
        parent.days || '_default', parent.id, duework.first_id_of(day), duework.first_id_of(day + 1), name);
      EXECUTE format('ALTER TABLE duework.%I ATTACH PARTITION duework.%I FOR VALUES FROM (%s) TO (%s)',
        parent.days, name, duework.first_id_of(day), duework.first_id_of(day + 1));
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;

-- Drops daily partitions whose last rows were finished more than `keep_days` days ago (of attempts: `attempt_days`, because nobody
-- knows of an attempt whether its run will be dead), and returns how many: ten of one table at most, because from the first one on
-- settlements wait for the commit, and each takes locks. So call it until there is none. It reads no row of them. It gives up
-- after 2 s of waiting for a lock (55P03), because settlements would queue up behind it; the next call tries again.
CREATE FUNCTION duework.retain(keep_days integer, attempt_days integer) RETURNS integer
LANGUAGE plpgsql
SET lock_timeout = '2s'
AS $$
DECLARE
  parent  regclass;
  part    record;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('duework.partitions', 0));
  FOREACH parent IN ARRAY ARRAY['duework.job_history_days', 'duework.job_attempts_days']::regclass[] LOOP
    FOR part IN
      SELECT c.relname AS name
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent
        AND c.relname ~ '_[0-9]{8}$'
        -- the day after it is the last on which its rows were finished
        AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (now() AT TIME ZONE 'UTC')::date
          - CASE parent WHEN 'duework.job_attempts_days'::regclass THEN attempt_days ELSE keep_days END
      ORDER BY c.relname
      LIMIT 10
    LOOP
      EXECUTE format('DROP TABLE duework.%I', part.name);
      dropped := dropped + 1;
    END LOOP;
    EXIT WHEN dropped > 0;
  END LOOP;
  RETURN dropped;
END
$$;

-- The other statements of retention delete rows: at most `batch` a call, so that none is a long transaction, and rows that
-- somebody holds are left for the next time. Call each until it returns less than `batch`. Each walks one index from its old
-- end and no further; the settings leave the planner no other way, whatever it believes about the table.

-- Rows whose id carries a day that had no partition when they finished, and that stayed in the default one. It has no such index, and
-- is empty unless nobody could make partitions for a week.
CREATE FUNCTION duework.retain_default(keep_days integer, attempt_days integer, batch integer) RETURNS integer
LANGUAGE sql
AS $$
  WITH history AS (
    DELETE FROM duework.job_history_days_default
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_history_days_default
      WHERE finished_at < ((now() AT TIME ZONE 'UTC')::date - keep_days)::timestamp AT TIME ZONE 'UTC'
      LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  ),
  attempts AS (
    DELETE FROM duework.job_attempts_days_default
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_attempts_days_default
      WHERE finished_at < ((now() AT TIME ZONE 'UTC')::date - attempt_days)::timestamp AT TIME ZONE 'UTC'
      LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM history), (SELECT count(*) FROM attempts))::integer
$$;

-- Rows of a table that is in no day's partition, the oldest first.
CREATE FUNCTION duework.retain_rows(of_table regclass, keep_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  gone integer;
BEGIN
  EXECUTE format('
    DELETE FROM %1$s
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM %1$s WHERE finished_at < $1 ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ))', of_table)
  USING ((now() AT TIME ZONE 'UTC')::date - keep_days)::timestamp AT TIME ZONE 'UTC', batch;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- What became of a run, wherever it is; no status: there is none. The statements name the day's partition only when they run, so
-- that no plan covers all of them, and no other one is opened.
CREATE FUNCTION duework.find_run_status(run_id bigint, OUT status text, OUT run_at timestamptz, OUT finished_at timestamptz)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  SELECT r.status, r.run_at INTO status, run_at FROM duework.job_runs r WHERE r.id = run_id;
  IF FOUND THEN RETURN; END IF;
  EXECUTE 'SELECT status, run_at, finished_at FROM duework.job_history_days WHERE id = $1'
  INTO status, run_at, finished_at USING run_id;
  IF status IS NOT NULL THEN RETURN; END IF;
  SELECT h.status, h.run_at, h.finished_at INTO status, run_at, finished_at
  FROM (
    SELECT * FROM duework.job_history_dead
    UNION ALL SELECT * FROM duework.job_history_cancelled
    UNION ALL SELECT * FROM duework.job_history_late
  ) h
  WHERE h.id = run_id;
END
$$;

-- Keys whose window is over.
CREATE FUNCTION duework.retain_expired_keys(batch integer) RETURNS integer
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH gone AS (
    DELETE FROM duework.job_keys
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$$;

-- Keys or effects whose run is gone, or its history old enough: they live no longer. One that is still needed is not looked
-- at again before it can be old enough, so nothing is looked at more often than once in `keep_days`. One of a dead run lives for
-- `dead_days`. Returns how many were looked at.
CREATE FUNCTION duework.retain_with_runs(of_table regclass, keep_days integer, dead_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  oldest timestamptz := ((now() AT TIME ZONE 'UTC')::date - keep_days)::timestamp AT TIME ZONE 'UTC';
  oldest_dead timestamptz := ((now() AT TIME ZONE 'UTC')::date - dead_days)::timestamp AT TIME ZONE 'UTC';
  looked integer;
BEGIN
  EXECUTE format('
    WITH looked AS MATERIALIZED (
      SELECT ctid, run_id FROM %1$s WHERE needed_at < $1 ORDER BY needed_at LIMIT $2
      -- who takes an expired key for a new run has changed it since this statement began, or holds it still: it is passed over
      FOR UPDATE SKIP LOCKED
    ),
    decided AS MATERIALIZED (
      SELECT ctid AS row_id, coalesce(
        -- no EXISTS, for which the planner may read the whole table into a hash
        (SELECT now() FROM duework.job_runs r WHERE r.id = l.run_id),
        (SELECT c.finished_at FROM duework.job_history_cancelled c WHERE c.id = l.run_id AND c.finished_at >= $1),
        (SELECT h.finished_at FROM duework.job_history_late h WHERE h.id = l.run_id AND h.finished_at >= $1),
        -- as if it had finished when it begins to be as old as others that go; not later than now, because it may be retried
        (SELECT least(now(), d.finished_at - $3 + $1) FROM duework.job_history_dead d WHERE d.id = l.run_id AND d.finished_at >= $3),
        -- in its day, which is looked at only where the id does not tell that it is old: that is a statement for each run
        (
          SELECT f.finished_at
          FROM (SELECT WHERE duework.day_of_id(l.run_id) + 2 > $1 AT TIME ZONE ''UTC'' OFFSET 0) is_young
          CROSS JOIN LATERAL duework.find_run_status(l.run_id) f
          WHERE f.status = ''succeeded'' AND f.finished_at >= $1
        )
      ) AS needed_at
      FROM looked l
    ),
    gone AS (DELETE FROM %1$s WHERE ctid = ANY(ARRAY(SELECT row_id FROM decided WHERE needed_at IS NULL))),
    kept AS (UPDATE %1$s k SET needed_at = d.needed_at FROM decided d WHERE k.ctid = d.row_id AND d.needed_at IS NOT NULL)
    SELECT count(*)::integer FROM looked', of_table)
  INTO looked USING oldest, batch, oldest_dead;
  RETURN looked;
END
$$;

-- How long to wait after the n-th failed attempt, in milliseconds: computeBackoff of the engine, for whoever gives back a run
-- whose contract it may not know. `random` is from 0 to 1. A rule that is null is the one that contracts have unless they say.
CREATE FUNCTION duework.backoff_ms(rule jsonb, attempt integer, random double precision) RETURNS double precision
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT least(2147483647, greatest(1, floor(0.5 + (0.8 + 0.4 * random) * CASE r.rule ->> 'kind'
    WHEN 'fixed' THEN (r.rule ->> 'delayMs')::float8
    WHEN 'exponential' THEN CASE
      -- longer than any cap, and perhaps than any number
      WHEN (attempt - 1) * ln((r.rule ->> 'factor')::float8) > 50 THEN (r.rule ->> 'capMs')::float8
      ELSE least((r.rule ->> 'capMs')::float8, (r.rule ->> 'baseMs')::float8 * power((r.rule ->> 'factor')::float8, attempt - 1))
    END
    WHEN 'quadratic' THEN least((r.rule ->> 'capMs')::float8, (r.rule ->> 'unitMs')::float8 * attempt::float8 ^ 2)
    WHEN 'delays' THEN (r.rule -> 'delaysMs' ->> least(attempt, jsonb_array_length(r.rule -> 'delaysMs')) - 1)::float8
  END)))
  FROM (SELECT coalesce(rule, '{"kind": "exponential", "baseMs": 10000, "factor": 2, "capMs": 21600000}')) AS r (rule)
$$;

-- Live and finished runs in one shape, one status column.
CREATE VIEW duework.live_jobs AS
  SELECT id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts,
    fence, locked_by AS worker, locked_until, claimed_at, failed_at, error_code, error_type, last_error,
    cancel_requested_at, cancel_requested_by, cancel_reason, progress, NULL::jsonb AS result, created_at,
    NULL::timestamptz AS finished_at, snoozes, snoozed_at, NULL::timestamptz AS acknowledged_at, meta
  FROM duework.job_runs;
CREATE VIEW duework.finished_jobs AS
  SELECT id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts,
    fence, worker, NULL::timestamptz AS locked_until, claimed_at, failed_at, error_code, error_type, last_error,
    cancel_requested_at, cancel_requested_by, cancel_reason, NULL::jsonb AS progress, result, created_at, finished_at,
    snoozes, snoozed_at, acknowledged_at, meta
  FROM duework.job_history;
CREATE VIEW duework.jobs AS SELECT * FROM duework.live_jobs UNION ALL SELECT * FROM duework.finished_jobs;

-- One run, wherever it is; as find_run_status.
CREATE FUNCTION duework.find_job(run_id bigint) RETURNS SETOF duework.jobs
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT * FROM duework.live_jobs WHERE id = run_id;
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY EXECUTE 'SELECT * FROM duework.finished_jobs WHERE id = $1' USING run_id;
END
$$;

-- The highest id below `before_id` that a run may have: of the tables without days, or of the newest daily partition. null: none.
-- `is_live`: live runs count.
CREATE FUNCTION duework.find_id_below(before_id bigint, is_live boolean) RETURNS bigint
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
DECLARE
  newest_day text := to_char(least(duework.day_of_id(before_id - 1), (clock_timestamp() AT TIME ZONE 'UTC')::date), 'YYYYMMDD');
BEGIN
  -- in PL/pgSQL, because its statements are planned once for a session
  RETURN greatest(
    CASE WHEN is_live THEN (SELECT max(id) FROM duework.job_runs WHERE id < before_id) END,
    (SELECT max(id) FROM duework.job_history_dead WHERE id < before_id),
    (SELECT max(id) FROM duework.job_history_cancelled WHERE id < before_id),
    (SELECT max(id) FROM duework.job_history_late WHERE id < before_id),
    (SELECT max(id) FROM duework.job_history_days_default WHERE id < before_id),
    (
      SELECT least(before_id, duework.first_id_of(to_date(right(relname, 8), 'YYYYMMDD') + 1)) - 1
      FROM pg_class
      WHERE relname > 'job_history_succeeded_' AND relname <= 'job_history_succeeded_' || newest_day
        AND relnamespace = 'duework'::regnamespace AND relkind = 'r'
      ORDER BY relname DESC
      LIMIT 1
    )
  );
END
$$;

-- A page of runs, newest first (by id), and what it costs: `budget` rows are looked at, whatever there is, and to open a day counts
-- as a hundred. A filter that hardly any run fits may make a page short, or empty, that is not the last: the last row then is no run
-- but says where to go on. So no index has to know of types and queues, each of which would be a tenth of what settling costs. The
-- settings leave the planner no plan but to walk backwards along the ids. Each step reads the runs of one day, so that no other
-- day's partition is opened. What runs is found by walk_running_jobs.
CREATE FUNCTION duework.walk_jobs(of_status text, of_type text, of_queue text, before_id bigint, page integer, budget integer)
RETURNS TABLE (job duework.jobs, next_id bigint)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  source text := CASE
    WHEN of_status IS NULL THEN 'duework.jobs WHERE true'
    WHEN of_status = 'queued' THEN 'duework.live_jobs WHERE true'
    -- of what has ever failed and is not over
    WHEN of_status = 'failed' THEN 'duework.live_jobs WHERE failed_at IS NOT NULL'
    -- one table, or the days
    ELSE format('duework.finished_jobs WHERE status = %L', of_status)
  END;
  has_days boolean := of_status IS NULL OR of_status = 'succeeded';
  seen duework.jobs;
  last_id bigint;
  -- of the step: its highest and its lowest id
  top bigint := before_id - 1;
  bottom bigint := -9223372036854775807;
  walked integer := 0;
  found integer := 0;
BEGIN
  LOOP
    IF has_days THEN
      top := duework.find_id_below(top + 1, of_status IS NULL);
      EXIT WHEN top IS NULL;
      IF walked >= budget THEN
        next_id := top + 1;
        RETURN NEXT;
        RETURN;
      END IF;
      -- an id below 0 carries no day
      IF top >= 0 THEN bottom := duework.first_id_of(duework.day_of_id(top)); ELSE bottom := -9223372036854775807; END IF;
    END IF;
    FOR seen IN EXECUTE format('SELECT * FROM %s AND id BETWEEN $1 AND $2 ORDER BY id DESC', source) USING bottom, top LOOP
      IF walked >= budget OR found = page THEN
        job := NULL;
        next_id := last_id;
        RETURN NEXT;
        RETURN;
      END IF;
      walked := walked + 1;
      last_id := seen.id;
      IF (of_status IS NULL OR seen.status = of_status) AND (of_type IS NULL OR seen.job_type = of_type)
        AND (of_queue IS NULL OR seen.queue = of_queue) THEN
        found := found + 1;
        job := seen;
        RETURN NEXT;
      END IF;
    END LOOP;
    EXIT WHEN NOT has_days;
    walked := walked + 100;
    job := NULL;
    top := bottom - 1;
  END LOOP;
END
$$;

-- A page of what runs, the longest due first, because no index may know of it (a claim would have to write it): a run that was
-- claimed was due, and so it is among the first of its queue and priority. `budget` rows of each are looked at; where that was not
-- enough the page ends at the first of their ends, so that nothing is passed over. The last row may be no run, as in walk_jobs.
CREATE FUNCTION duework.walk_running_jobs(
  of_type text, of_queue text, after_run_at timestamptz, after_id bigint, page integer, budget integer
)
RETURNS TABLE (job duework.jobs, next_run_at timestamptz, next_id bigint)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (queue, priority) AS (
    (SELECT queue, priority FROM duework.job_runs ORDER BY queue, priority LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority FROM duework.job_runs j WHERE (j.queue, j.priority) > (p.queue, p.priority)
      ORDER BY j.queue, j.priority LIMIT 1
    ) next
  ),
  walked AS MATERIALIZED (
    SELECT w.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT d.run_at, d.id, d.status = 'running' AND (of_type IS NULL OR d.job_type = of_type) AS is_wanted,
        row_number() OVER (ORDER BY d.run_at, d.id) AS position
      FROM (
        SELECT j.run_at, j.id, j.status, j.job_type
        FROM duework.job_runs j
        WHERE j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now() AND (j.run_at, j.id) > (after_run_at, after_id)
        ORDER BY j.run_at, j.id
        LIMIT budget
      ) d
    ) w
    WHERE of_queue IS NULL OR p.queue = of_queue
  ),
  -- null where every walk came to its end
  reached AS MATERIALIZED (SELECT run_at, id FROM walked WHERE position = budget ORDER BY run_at, id LIMIT 1),
  found AS MATERIALIZED (
    SELECT w.run_at, w.id, row_number() OVER (ORDER BY w.run_at, w.id) AS position
    FROM walked w
    WHERE w.is_wanted AND NOT EXISTS (SELECT FROM reached e WHERE (w.run_at, w.id) > (e.run_at, e.id))
    ORDER BY w.run_at, w.id
    LIMIT page + 1
  ),
  shown AS (
    SELECT f.position, j.job
    FROM found f
    CROSS JOIN LATERAL (SELECT ROW(l.*)::duework.jobs AS job FROM duework.live_jobs l WHERE l.id = f.id OFFSET 0) j
    WHERE f.position <= page
  )
  SELECT a.job, a.run_at, a.id
  FROM (
    SELECT position, job, NULL::timestamptz AS run_at, NULL::bigint AS id FROM shown
    UNION ALL
    SELECT page + 1, NULL, run_at, id FROM found WHERE position = page AND (SELECT count(*) FROM found) > page
    UNION ALL
    SELECT page + 1, NULL, run_at, id FROM reached WHERE (SELECT count(*) FROM found) <= page
  ) a
  ORDER BY a.position
$$;

-- Given up; they wait for somebody to look and to retry them.
CREATE VIEW duework.dead_jobs AS
  SELECT id, job_type, queue, attempts, error_code, error_type, last_error, failed_at, finished_at, created_at, payload
  FROM duework.job_history
  WHERE status = 'dead'
  ORDER BY finished_at DESC, id DESC;

-- What workers run now. A run that was claimed was due, so that all of them are found among those: queue by queue and priority by
-- priority, past what is due in the future. Whoever asks walks over all that waits and is due, so ask seldom where there is a backlog.
CREATE VIEW duework.running_runs AS
  WITH RECURSIVE firsts (queue, priority, run_at) AS (
    (SELECT queue, priority, run_at FROM duework.job_runs ORDER BY queue, priority, run_at LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM firsts f
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority, j.run_at
      FROM duework.job_runs j
      WHERE (j.queue, j.priority) > (f.queue, f.priority)
      ORDER BY j.queue, j.priority, j.run_at
      LIMIT 1
    ) next
  )
  SELECT r.*
  FROM firsts f
  CROSS JOIN LATERAL (
    SELECT *
    FROM duework.job_runs j
    WHERE j.queue = f.queue AND j.priority = f.priority AND j.run_at <= now() AND j.status = 'running'
    -- no join that the planner could turn around
    OFFSET 0
  ) r
  WHERE f.run_at <= now();

-- Running for longer than their definition allows, or on a lease that nobody renews.
CREATE VIEW duework.stuck_jobs AS
  SELECT r.id, r.job_type, r.queue, r.locked_by AS worker, r.attempts, r.claimed_at,
    extract(epoch FROM now() - r.claimed_at)::float8 AS running_seconds, r.locked_until, r.locked_until < now() AS is_lease_expired
  FROM duework.running_runs r
  LEFT JOIN duework.job_definitions d ON d.type = r.job_type
  WHERE r.locked_until < now() OR r.claimed_at + d.timeout_ms * interval '1 millisecond' < now();

-- How much waits where, and for how long the oldest due run has been waiting. Of each queue and priority the first `budget` runs
-- that are due are counted, and as many of those that are not: where there are more, the figures of that queue say at least, and a
-- type none of whose runs is among them is not told. What runs is nearly always counted, because it was due the longest.
CREATE FUNCTION duework.count_queue_depth(budget integer)
RETURNS TABLE (
  queue text, job_type text, due bigint, scheduled bigint, retrying bigint, running bigint,
  oldest_waiting_seconds double precision, is_at_least boolean
)
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
    SELECT p.queue, w.job_type, w.status, w.is_due, count(*) AS runs, min(w.run_at) AS oldest_run_at,
      sum(count(*)) OVER (PARTITION BY p.queue, p.priority, w.is_due) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      (
        SELECT j.job_type, j.status, j.run_at, true AS is_due
        FROM duework.job_runs j
        WHERE j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
        ORDER BY j.run_at
        LIMIT budget
      )
      UNION ALL
      (
        SELECT j.job_type, j.status, j.run_at, false
        FROM duework.job_runs j
        WHERE j.queue = p.queue AND j.priority = p.priority AND j.run_at > now()
        ORDER BY j.run_at
        LIMIT budget
      )
    ) w
    GROUP BY p.queue, p.priority, w.job_type, w.status, w.is_due
  )
  SELECT c.queue, c.job_type,
    coalesce(sum(c.runs) FILTER (WHERE c.status <> 'running' AND c.is_due), 0)::bigint,
    coalesce(sum(c.runs) FILTER (WHERE c.status = 'queued' AND NOT c.is_due), 0)::bigint,
    coalesce(sum(c.runs) FILTER (WHERE c.status = 'failed' AND NOT c.is_due), 0)::bigint,
    coalesce(sum(c.runs) FILTER (WHERE c.status = 'running'), 0)::bigint,
    coalesce(extract(epoch FROM now() - min(c.oldest_run_at) FILTER (WHERE c.status <> 'running' AND c.is_due)), 0)::float8,
    bool_or(bool_or(c.is_at_least)) OVER (PARTITION BY c.queue)
  FROM counted c
  GROUP BY c.queue, c.job_type
$$;
CREATE VIEW duework.queue_depth AS SELECT * FROM duework.count_queue_depth(10000);

-- What is due and waits for a worker that can read it, while none of those that live can: by queue, type and version. Of each queue
-- and priority it looks at the first `budget` runs that are due. What nobody reads is soon among them, because all else is claimed.
CREATE FUNCTION duework.count_unread_jobs(budget integer)
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
    )
  GROUP BY c.queue, c.job_type, c.job_version
$$;
CREATE VIEW duework.unread_jobs AS SELECT * FROM duework.count_unread_jobs(10000);

-- How many attempts of each type ended lately, and how many of them failed; `since_at` is from when on. What ends is written at the
-- end of its day's table, so that the last `pages` pages of each are its newest rows: where they do not go back for all of `lately`,
-- the figures are of the time that they do. No index of times, and never more than these pages, however much is done. What is late
-- is found by its index, 20 rows for a page.
CREATE FUNCTION duework.count_recent_attempts(lately interval, pages integer)
RETURNS TABLE (job_type text, attempts bigint, failed bigint, since_at timestamptz)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  parts text := '';
  part  record;
BEGIN
  FOR part IN
    SELECT c.relname AS name, parent.is_failed, day.name = 'late' AS is_late,
      greatest(0, pg_relation_size(c.oid) / current_setting('block_size')::bigint - pages) AS first_page,
      -- what was interrupted or cancelled says nothing about its type
      CASE WHEN parent.is_failed THEN 'AND outcome IN (''failed'', ''lost'')' ELSE '' END AS condition
    FROM (VALUES ('job_history', 'job_history_succeeded', false), ('job_attempts', 'job_attempts', true)) AS parent (name, day_name, is_failed)
    CROSS JOIN (
      SELECT 'late'
      UNION ALL
      -- the days whose runs may have ended lately
      SELECT to_char(at, 'YYYYMMDD') FROM generate_series((now() - lately) AT TIME ZONE 'UTC' - interval '1 day', now() AT TIME ZONE 'UTC', interval '1 day') AS at
      UNION
      SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
    ) AS day (name)
    JOIN pg_class c ON c.oid = to_regclass(format('duework.%I', CASE day.name WHEN 'late' THEN parent.name ELSE parent.day_name END || '_' || day.name))
  LOOP
    parts := parts || CASE WHEN parts = '' THEN '' ELSE ' UNION ALL ' END || CASE
      WHEN part.is_late THEN format(
        '(SELECT %L, count(*) OVER () = %s, %L::boolean, job_type, finished_at FROM duework.%I WHERE finished_at >= now() - $1 %s ORDER BY finished_at DESC LIMIT %2$s)',
        part.name, pages * 20, part.is_failed, part.name, part.condition)
      ELSE format(
        'SELECT %L, %L::boolean, %L::boolean, job_type, finished_at FROM duework.%I WHERE ctid >= ''(%s,0)''::tid %s',
        part.name, part.first_page > 0, part.is_failed, part.name, part.first_page, part.condition)
    END;
  END LOOP;
  RETURN QUERY EXECUTE format('
    WITH seen (part, is_cut, is_failed, job_type, finished_at) AS MATERIALIZED (%s),
    start AS MATERIALIZED (
      SELECT greatest(now() - $1, max(o.at)) AS at FROM (SELECT min(finished_at) AS at FROM seen WHERE is_cut GROUP BY part) o
    )
    SELECT s.job_type, count(*), count(*) FILTER (WHERE s.is_failed), start.at
    FROM seen s JOIN start ON s.finished_at >= start.at
    GROUP BY s.job_type, start.at', parts) USING lately;
END
$$;

-- The newest finished run of a type: of the newest `days` days, or of the tables that have no days; no row: there is none. A run
-- finished by the end of the day after the one that its id carries, so that the walk ends where no older day can have a newer one.
CREATE FUNCTION duework.find_last_run(of_type text, days integer) RETURNS SETOF duework.job_history
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  newest duework.job_history;
  other duework.job_history;
  part record;
BEGIN
  SELECT h.* INTO newest
  FROM (
    (SELECT d.* FROM duework.job_history_dead d WHERE d.job_type = of_type AND d.is_newest ORDER BY d.finished_at DESC LIMIT 1)
    UNION ALL
    (SELECT c.* FROM duework.job_history_cancelled c WHERE c.job_type = of_type AND c.is_newest ORDER BY c.finished_at DESC LIMIT 1)
    UNION ALL
    (SELECT l.* FROM duework.job_history_late l WHERE l.job_type = of_type AND l.is_newest ORDER BY l.finished_at DESC LIMIT 1)
    UNION ALL
    (SELECT p.* FROM duework.job_history_days_default p WHERE p.job_type = of_type AND p.is_newest ORDER BY p.finished_at DESC LIMIT 1)
  ) h
  ORDER BY h.finished_at DESC
  LIMIT 1;
  FOR part IN
    SELECT relname AS name, (to_date(right(relname, 8), 'YYYYMMDD') + 2)::timestamp AT TIME ZONE 'UTC' AS ended_by
    FROM pg_class
    WHERE relname > 'job_history_succeeded_' AND relname <= 'job_history_succeeded_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
      AND relnamespace = 'duework'::regnamespace AND relkind = 'r'
    ORDER BY relname DESC
    LIMIT days
  LOOP
    EXIT WHEN newest.finished_at >= part.ended_by;
    EXECUTE format('SELECT * FROM duework.%I WHERE job_type = $1 AND is_newest ORDER BY finished_at DESC LIMIT 1', part.name)
    INTO other USING of_type;
    IF other.id IS NOT NULL AND (newest.id IS NULL OR other.finished_at > newest.finished_at) THEN newest := other; END IF;
  END LOOP;
  IF newest.id IS NOT NULL THEN RETURN NEXT newest; END IF;
END
$$;

-- "When did it last run, and how did it end?" for every definition, within the newest 40 days.
CREATE VIEW duework.last_runs AS
  SELECT d.type AS job_type, d.version, h.id AS run_id, h.status, h.attempts, h.claimed_at, h.finished_at, h.error_code,
    h.last_error
  FROM duework.job_definitions d
  LEFT JOIN LATERAL duework.find_last_run(d.type, 40) h ON true;

COMMENT ON VIEW duework.live_jobs IS 'Runs that wait or run';
COMMENT ON VIEW duework.finished_jobs IS 'Runs that are over';
COMMENT ON VIEW duework.jobs IS 'Live and finished runs as one table';
COMMENT ON VIEW duework.dead_jobs IS 'Runs that were given up, newest first';
COMMENT ON VIEW duework.running_runs IS 'Runs that a worker has claimed and not ended';
COMMENT ON VIEW duework.stuck_jobs IS 'Runs that run for too long, or whose lease has expired';
COMMENT ON VIEW duework.queue_depth IS 'Waiting and running work by queue and type';
COMMENT ON VIEW duework.last_runs IS 'The last finished run of each definition';

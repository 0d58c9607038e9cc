-- Duework 0.1.0 as it was released. Generated: npm run dump:release -- 0.1.0

-- 20261120120000_duework, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

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

INSERT INTO duework.migrations (name, checksum) VALUES ('20261120120000_duework', 'e6480d1298e05d4358c1da6fcabd2af0249bcae66442b50b51df08f33c186aa2');

-- 20261120130000_schedules, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Schedules: what makes runs by the clock, and the ledger of every slot that was decided.
--
-- A slot is one due instant of a rule. The row of the ledger and the run are written by one transaction, under the lock of
-- the schedule's row, and the ledger's key refuses a second decision: one slot, one run, whoever ticks.

CREATE TABLE duework.schedules (
  id                 bigint      GENERATED BY DEFAULT AS IDENTITY,
  key                text        NOT NULL,
  job_type           text        NOT NULL,
  -- of the contract that the payload was saved for: a tick lifts it to its own
  job_version        integer     NOT NULL,
  -- a payload, or one with {"$slot": …} in it, filled in when a run is made
  payload            jsonb       NOT NULL,
  cron               text,
  every_ms           bigint,
  at                 timestamptz,
  time_zone          text        NOT NULL,
  starts_at          timestamptz,
  ends_at            timestamptz,
  missed             text        NOT NULL,
  missed_tolerance_ms bigint     NOT NULL,
  missed_limit       integer     NOT NULL,
  missed_max_age_ms  bigint      NOT NULL,
  overlap            text        NOT NULL,
  overlap_limit      integer     NOT NULL,
  splay_ms           bigint      NOT NULL,
  -- the part of the splay that is this schedule's own, from its key
  splay_offset_ms    bigint      NOT NULL,
  is_paused          boolean     NOT NULL DEFAULT false,
  -- code: declared by a program and written at its deploy; api: made by a person or a program while everything runs
  source             text        NOT NULL,
  -- of the list in the code that declared it
  source_version     integer,
  -- the first slot that nobody has decided about; null: there is none any more
  next_slot_at       timestamptz,
  -- when the tick looks at it: the next slot and its splay, or sooner while slots wait; null: never
  tick_at            timestamptz,
  last_run_id        bigint,
  -- runs of it that may still be live, the newest ones
  run_ids            bigint[]    NOT NULL DEFAULT '{}',
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schedules_pkey PRIMARY KEY (id),
  CONSTRAINT schedules_key_check CHECK (key ~ '^[A-Za-z0-9:_.@-]{1,200}$'),
  CONSTRAINT schedules_job_type_check CHECK (job_type ~ '^[a-z][a-z0-9_]{0,62}$'),
  CONSTRAINT schedules_rule_check CHECK (num_nonnulls(cron, every_ms, at) = 1 AND every_ms >= 1000),
  CONSTRAINT schedules_span_check CHECK (ends_at > starts_at),
  CONSTRAINT schedules_missed_check CHECK (
    missed IN ('skip', 'latest', 'all') AND missed_tolerance_ms >= 0 AND missed_limit BETWEEN 1 AND 1000 AND missed_max_age_ms >= 0
  ),
  CONSTRAINT schedules_overlap_check CHECK (
    overlap IN ('allow', 'skip', 'queue', 'cancel-running') AND overlap_limit BETWEEN 1 AND 1000
  ),
  CONSTRAINT schedules_splay_check CHECK (splay_ms BETWEEN 0 AND 86400000 AND splay_offset_ms BETWEEN 0 AND splay_ms),
  CONSTRAINT schedules_source_check CHECK (
    source IN ('code', 'api') AND (source = 'code') = (source_version IS NOT NULL)
  ),
  -- Whoever has a slot to come is looked at in time.
  CONSTRAINT schedules_tick_check CHECK (next_slot_at IS NULL OR tick_at IS NOT NULL)
) WITH (
  -- Every slot gives the row a new version, in its own page where there is room; never without touching an index, for tick_at
  -- is in one, so vacuum comes early.
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);
CREATE UNIQUE INDEX schedules_key_key ON duework.schedules (key);
-- read-due-schedules, read-next-tick: what has to be looked at, the longest waiting first.
CREATE INDEX schedules_due_idx ON duework.schedules (tick_at, id) WHERE NOT is_paused AND tick_at IS NOT NULL;

-- The newest list of schedules that code has declared, also when it was empty; an older one changes nothing. One row.
CREATE TABLE duework.schedule_lists (
  id      smallint NOT NULL DEFAULT 1,
  version integer  NOT NULL,
  CONSTRAINT schedule_lists_pkey PRIMARY KEY (id),
  CONSTRAINT schedule_lists_only_check CHECK (id = 1),
  CONSTRAINT schedule_lists_version_check CHECK (version >= 1)
);

CREATE TABLE duework.schedule_slots (
  schedule_id  bigint      NOT NULL,
  slot_at      timestamptz NOT NULL,
  -- copied, because the ledger outlives the schedule
  schedule_key text        NOT NULL,
  job_type     text        NOT NULL,
  -- fired: there is a run; waiting: one is made when the run before it has ended; skipped: none will be
  outcome      text        NOT NULL,
  reason       text,
  run_id       bigint,
  due_at       timestamptz NOT NULL,
  decided_at   timestamptz NOT NULL,
  -- from due to decided, on the database's clock
  late_ms      bigint      NOT NULL,
  CONSTRAINT schedule_slots_pkey PRIMARY KEY (schedule_id, slot_at),
  CONSTRAINT schedule_slots_outcome_check CHECK (outcome IN ('fired', 'skipped', 'waiting')),
  CONSTRAINT schedule_slots_run_check CHECK (outcome <> 'fired' OR run_id IS NOT NULL),
  CONSTRAINT schedule_slots_reason_check CHECK (outcome <> 'skipped' OR reason IS NOT NULL)
) WITH (
  -- a growing table whose rows hardly change: frozen while they are still in the cache
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_freeze_min_age = 0,
  -- retention deletes a day's lines among many days': the default, a fifth of the table, would let them lie for a week
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
-- find-slots: what happened between two moments, for all schedules or for one. retain: what is old enough.
CREATE INDEX schedule_slots_slot_at_idx ON duework.schedule_slots (slot_at, schedule_id);
CREATE INDEX schedule_slots_key_idx ON duework.schedule_slots (schedule_key, slot_at);
-- read-due-schedules: the slots of one schedule that wait.
CREATE INDEX schedule_slots_waiting_idx ON duework.schedule_slots (schedule_id, slot_at) WHERE outcome = 'waiting';

-- When each schedule last fired, and what comes next: "did it run last night?" for all of them.
CREATE VIEW duework.schedule_states AS
  SELECT s.key, s.job_type, s.source, s.is_paused, s.cron, s.every_ms, s.at, s.time_zone, s.next_slot_at,
    f.slot_at AS last_fired_slot_at, f.run_id AS last_fired_run_id, f.late_ms AS last_fired_late_ms,
    d.slot_at AS last_slot_at, d.outcome AS last_outcome, d.reason AS last_reason
  FROM duework.schedules s
  LEFT JOIN LATERAL (
    SELECT * FROM duework.schedule_slots l WHERE l.schedule_id = s.id AND l.outcome = 'fired' ORDER BY l.slot_at DESC LIMIT 1
  ) f ON true
  LEFT JOIN LATERAL (
    SELECT * FROM duework.schedule_slots l WHERE l.schedule_id = s.id ORDER BY l.slot_at DESC LIMIT 1
  ) d ON true;
COMMENT ON VIEW duework.schedule_states IS 'Each schedule with its last slots and its next one';

-- Drops what is old of the ledger; at most `batch` rows a call, so that no statement holds many locks. A slot that waits
-- is kept. Returns how many rows went. It walks the index of slots from its old end and no further, whatever is kept: with
-- these settings the planner has no other way. Partitions by day would cost every tick a look into each of them.
CREATE FUNCTION duework.retain_slots(keep_days integer, batch integer) RETURNS integer
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH gone AS (
    DELETE FROM duework.schedule_slots
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.schedule_slots
      WHERE slot_at < now() - keep_days * interval '1 day'
        -- an old slot that was only just decided, after an outage, is news
        AND decided_at < now() - keep_days * interval '1 day'
        AND outcome <> 'waiting'
      ORDER BY slot_at
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$$;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261120130000_schedules', '11085a7184d762baee97176463d7d9545b56f51971914328ecec82668b1551d7');

-- 20261120140000_horizon, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- The horizon: VACUUM may remove a dead row only when no snapshot that is still held could see it. Whoever holds an old one
-- pins the horizon, and every table that rows leave, job_runs first of all, grows until it lets go.

-- Which transaction number came next at which moment, written once a minute by raise-alerts and kept for a day: what pins
-- is known by such a number, and a replication slot has no time of its own.
CREATE TABLE duework.xid_samples (
  seen_at timestamptz NOT NULL DEFAULT now(),
  xid     xid         NOT NULL DEFAULT pg_snapshot_xmax(pg_current_snapshot())::xid,
  CONSTRAINT xid_samples_pkey PRIMARY KEY (seen_at)
);

-- Whoever keeps VACUUM from removing dead rows of this database's tables, the oldest first. What counts is what PostgreSQL
-- counts (ComputeXidHorizons in procarray.c), for tables that are no catalogs:
--   sessions of this database: their transaction number and their snapshot; a snapshot of another database does not;
--   transaction numbers of any database, prepared ones too: they do not pin by themselves, but every snapshot that is taken
--     here meanwhile is as old as they are, and while work flows there always is one;
--   xmin of a replication slot, and what a standby without one sends back; catalog_xmin pins catalogs only;
--   not VACUUM, which others ignore, nor a walsender that decodes, for which its slot speaks; but ANALYZE.
-- Without pg_read_all_stats, `state`, `query` and the start of other roles' transactions are hidden; the rest is not.
CREATE VIEW duework.horizon_pins AS
  WITH pins AS (
    SELECT 'session' AS kind, a.pid, NULL::name AS name, a.datname AS database, a.usename AS username, a.application_name, a.state,
      greatest(age(a.backend_xid), CASE WHEN a.datname = current_database() THEN age(a.backend_xmin) END) AS transactions,
      a.xact_start AS started_at, left(a.query, 200) AS query, format('SELECT pg_terminate_backend(%s)', a.pid) AS remedy
    FROM pg_stat_activity a
    LEFT JOIN pg_stat_replication r ON r.pid = a.pid
    WHERE (a.backend_xid IS NOT NULL OR (a.backend_xmin IS NOT NULL AND a.datname = current_database()))
      -- who looks holds a snapshot, too; a parallel worker has the one of its leader
      AND a.pid <> pg_backend_pid() AND a.backend_type IS DISTINCT FROM 'parallel worker'
      -- a walsender that copies a table is in a transaction like others
      AND (r.pid IS NULL OR r.state = 'startup')
      AND NOT EXISTS (SELECT FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid)
    UNION ALL
    SELECT 'prepared_transaction', NULL, p.gid, p.database, p.owner, NULL, 'prepared', age(p.transaction), p.prepared, NULL,
      format('in database %2$I: COMMIT PREPARED %1$L or ROLLBACK PREPARED %1$L', p.gid, p.database)
    FROM pg_prepared_xacts p
    UNION ALL
    SELECT 'replication_slot', s.active_pid, s.slot_name, s.database, NULL, NULL, CASE WHEN s.active THEN 'active' ELSE 'inactive' END,
      age(s.xmin), NULL, NULL,
      CASE WHEN s.active THEN 'on its standby: end the long query, or set hot_standby_feedback to off'
        ELSE format('bring its standby back, or give it up: SELECT pg_drop_replication_slot(%L)', s.slot_name) END
    FROM pg_replication_slots s
    WHERE s.xmin IS NOT NULL AND s.wal_status IS DISTINCT FROM 'lost'
    UNION ALL
    SELECT 'standby', r.pid, r.application_name, NULL, r.usename, r.application_name, r.state, age(r.backend_xmin), NULL, NULL,
      'on the standby: end the long query, or set hot_standby_feedback to off'
    FROM pg_stat_replication r
    WHERE r.backend_xmin IS NOT NULL AND r.state IS DISTINCT FROM 'startup'
      AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
  )
  SELECT kind, pid, name, database, username, application_name, state, transactions,
    -- a transaction may have begun after the one that looks
    CASE WHEN started_at > now() THEN 0 ELSE extract(epoch FROM now() - started_at) END::float8 AS transaction_seconds,
    greatest(0, coalesce(extract(epoch FROM now() - CASE
      -- a long transaction may take a fresh snapshot for each statement: a sample that its number is younger than says so
      WHEN started_at IS NOT NULL THEN greatest(started_at,
        (SELECT s.seen_at FROM duework.xid_samples s WHERE age(s.xid) >= p.transactions ORDER BY s.seen_at DESC LIMIT 1))
      ELSE (SELECT s.seen_at FROM duework.xid_samples s WHERE age(s.xid) < p.transactions ORDER BY s.seen_at LIMIT 1)
    END), 0))::float8 AS pinned_seconds,
    query, remedy
  FROM pins p
  ORDER BY transactions DESC, started_at;

COMMENT ON TABLE duework.xid_samples IS 'Which transaction number came next, once a minute';
COMMENT ON VIEW duework.horizon_pins IS 'Who keeps VACUUM from removing dead rows, the oldest first';

INSERT INTO duework.migrations (name, checksum) VALUES ('20261120140000_horizon', '03a529a27adbf36de9744e36cbc151ab69c86ec64fb69ba0e72e92468e81ae73');

-- 20261120150000_enqueue, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Enqueueing as functions: one round trip, planned once per session through any client, also one that names no statements, or a
-- pooler. The version stands in a function's name: a later migration adds a _2 beside the _1, so that older programs go on.
--
-- They run with their owner's rights, so that a producer needs no right on any table: EXECUTE is granted, to nobody at first. Hence
-- the fixed search_path. The other settings leave the planner one plan, through the indexes, whatever the statistics say.

-- Writes one run and takes its key. `at` wins over `delay_ms`. Where `in_transaction` is given and another one runs this, nothing is
-- written. Answers 'left <transaction>' then; '<id> <ms>' for a new run, the second being when it is due; '<id> <ms> <status>' for
-- the run that has the key.
--
-- `wake` is sent as a NOTIFY where the run is new; one with a space in it names a few workers, which the number of the transaction
-- behind it chooses.
--
-- A key that is held is looked up first, which needs no lock, no write and no commit: the same event told a thousand times costs a
-- thousand reads. Where an open transaction has taken the key, this one waits for its end.
CREATE FUNCTION duework.enqueue_1(
  type text, version integer, queue text, priority smallint, max_attempts integer, payload jsonb,
  at timestamptz, delay_ms double precision, key text, key_window_ms double precision, wake text, in_transaction text,
  meta jsonb DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  new_id bigint;
  holder bigint;
  gone   bigint;
  seen   record;
  due_at timestamptz := coalesce(enqueue_1.at, now() + enqueue_1.delay_ms * interval '1 millisecond');
BEGIN
  IF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction THEN RETURN 'left ' || pg_current_xact_id(); END IF;
  END IF;
  IF enqueue_1.key IS NULL THEN
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
    VALUES (
      enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload, enqueue_1.max_attempts,
      enqueue_1.meta
    )
    RETURNING id INTO new_id;
  ELSE
    LOOP
      SELECT run_id INTO holder FROM duework.job_keys
      WHERE job_type = enqueue_1.type AND key = enqueue_1.key AND (expires_at <= now()) IS NOT TRUE;
      IF holder IS NOT NULL THEN
        -- STABLE, so that it looks with one snapshot: a run that moves between tables meanwhile is never taken for dropped
        SELECT f.status, f.run_at INTO seen FROM duework.find_run_status(holder) f;
        IF seen.status IS NOT NULL THEN
          RETURN holder || ' ' || date_part('epoch', seen.run_at) * 1000 || ' ' || seen.status;
        END IF;
        -- retention has dropped its run: the key is free
        gone := holder;
      END IF;
      new_id := coalesce(new_id, duework.next_run_id());
      -- updates even when nothing changes, because DO NOTHING would not wait for the transaction that holds the key
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      VALUES (enqueue_1.type, enqueue_1.key, new_id, now() + key_window_ms * interval '1 millisecond')
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.expires_at ELSE k.expires_at END
      RETURNING run_id INTO holder;
      EXIT WHEN holder = new_id;
      -- another transaction has just committed it: this one's next look sees its run
    END LOOP;
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts, meta)
    VALUES (
      new_id, enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload, enqueue_1.key,
      enqueue_1.max_attempts, enqueue_1.meta
    );
  END IF;
  IF wake IS NOT NULL THEN
    PERFORM pg_notify('duework_wake', CASE WHEN strpos(wake, ' ') > 0 THEN wake || ' ' || pg_current_xact_id() ELSE wake END);
  END IF;
  RETURN new_id || ' ' || date_part('epoch', due_at) * 1000;
END
$$;

-- Writes many runs, all or none, as enqueue_1 does. What runs have in common is given once, as a kind: `kinds` says which of the
-- `types` (versions, …) is each run's, null: all have the first. Other arrays are null where no run needs one. Sends `wake`
-- where a run is new. `metas`: an array with each run's, or an object that all have. Answers {"left": transaction}, or {"ids": […], "ats": […], "statuses": […]}, a run each: a status is null where the
-- run is new; "ats" is null, and "now" is given, where all are due now.
--
-- Keys are taken in one order by everybody, so that two batches cannot wait for each other.
CREATE FUNCTION duework.enqueue_many_1(
  types text[], versions integer[], queues text[], priorities smallint[], max_attempts integer[], key_windows_ms double precision[],
  payloads jsonb, kinds integer[], ats timestamptz[], delays_ms double precision[], keys text[], wake text[], in_transaction text,
  metas jsonb DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
-- a batch is joined with itself, and the planner cannot know how large it is
SET enable_nestloop = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  each_meta   jsonb := CASE WHEN jsonb_typeof(metas) = 'array' THEN metas END;
  shared_meta jsonb := CASE WHEN jsonb_typeof(metas) = 'object' THEN metas END;
  held     bigint[];
  gone     bigint[];
  -- of the runs that are answered; null: not yet
  ids      bigint[];
  due_ms   double precision[];
  statuses text[];
BEGIN
  IF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction THEN RETURN json_build_object('left', pg_current_xact_id()::text); END IF;
  END IF;
  IF keys IS NULL THEN
    WITH inserted AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
      SELECT queues[coalesce(x.kind, 1)], types[coalesce(x.kind, 1)], versions[coalesce(x.kind, 1)], priorities[coalesce(x.kind, 1)],
        CASE WHEN x.at IS NOT NULL THEN x.at WHEN x.delay_ms IS NULL THEN now() ELSE now() + x.delay_ms * interval '1 millisecond' END, x.payload, enqueue_many_1.max_attempts[coalesce(x.kind, 1)],
        coalesce(nullif(x.meta, 'null'), shared_meta)
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms), jsonb_array_elements(each_meta)
      ) AS x (payload, kind, at, delay_ms, meta)
      RETURNING id, run_at
    )
    SELECT array_agg(i.id),
      CASE WHEN enqueue_many_1.ats IS NOT NULL OR delays_ms IS NOT NULL THEN array_agg(date_part('epoch', i.run_at) * 1000) END
    INTO ids, due_ms
    FROM inserted i;
    PERFORM pg_notify('duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END)
    FROM unnest(wake) AS w (hint);
    RETURN json_build_object('ids', ids, 'ats', due_ms, 'now', date_part('epoch', now()) * 1000);
  END IF;
  LOOP
    -- no joins, which the planner could turn around
    held := ARRAY(
      SELECT CASE WHEN x.id IS NULL AND x.key IS NOT NULL THEN (
        SELECT k.run_id FROM duework.job_keys k
        WHERE k.job_type = types[coalesce(x.kind, 1)] AND k.key = x.key AND (k.expires_at <= now()) IS NOT TRUE
      ) END
      FROM ROWS FROM (unnest(keys), unnest(kinds), unnest(ids)) WITH ORDINALITY AS x (key, kind, id, position)
      ORDER BY x.position
    );
    IF array_remove(held, NULL) <> '{}' THEN
      SELECT array_agg(CASE WHEN f.status IS NULL THEN x.id ELSE x.run_id END ORDER BY x.position),
        array_agg(coalesce(x.status, f.status) ORDER BY x.position),
        array_agg(coalesce(x.due_ms, date_part('epoch', f.run_at) * 1000) ORDER BY x.position),
        array_agg(x.run_id) FILTER (WHERE f.status IS NULL AND x.run_id IS NOT NULL)
      INTO ids, statuses, due_ms, gone
      FROM ROWS FROM (unnest(held), unnest(ids), unnest(statuses), unnest(due_ms)) WITH ORDINALITY AS x (run_id, id, status, due_ms, position)
      CROSS JOIN LATERAL duework.find_run_status(x.run_id) AS f;
    END IF;
    EXIT WHEN array_position(ids, NULL) IS NULL AND ids IS NOT NULL;
    WITH input AS MATERIALIZED (
      SELECT x.*, coalesce(x.kind, 1) AS of_kind, CASE WHEN x.known_id IS NULL THEN duework.next_run_id() END AS id,
        CASE WHEN x.at IS NOT NULL THEN x.at WHEN x.delay_ms IS NULL THEN now() ELSE now() + x.delay_ms * interval '1 millisecond' END AS run_at
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms), unnest(keys), unnest(ids),
        unnest(statuses), unnest(due_ms), jsonb_array_elements(each_meta)
      ) WITH ORDINALITY AS x (payload, kind, at, delay_ms, key, known_id, status, due_ms, meta, position)
    ),
    taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      SELECT DISTINCT ON (types[i.of_kind], i.key)
        types[i.of_kind], i.key, i.id, now() + key_windows_ms[i.of_kind] * interval '1 millisecond'
      FROM input i
      WHERE i.key IS NOT NULL AND i.known_id IS NULL
      ORDER BY types[i.of_kind], i.key, i.position
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.expires_at ELSE k.expires_at END
      RETURNING run_id
    ),
    written AS MATERIALIZED (
      SELECT i.* FROM input i LEFT JOIN taken t ON t.run_id = i.id WHERE i.known_id IS NULL AND (i.key IS NULL OR t.run_id IS NOT NULL)
    ),
    inserted AS (
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts, meta)
      SELECT i.id, queues[i.of_kind], types[i.of_kind], versions[i.of_kind], priorities[i.of_kind], i.run_at, i.payload, i.key,
        enqueue_many_1.max_attempts[i.of_kind], coalesce(nullif(i.meta, 'null'), shared_meta)
      FROM written i
    )
    SELECT array_agg(coalesce(i.known_id, w.id) ORDER BY i.position),
      array_agg(coalesce(i.due_ms, date_part('epoch', w.run_at) * 1000) ORDER BY i.position),
      array_agg(i.status ORDER BY i.position)
    INTO ids, due_ms, statuses
    FROM input i LEFT JOIN written w ON w.id = i.id;
    -- what is not answered now has an earlier run, in this batch or in a transaction that has just committed: the next look sees it
    EXIT WHEN array_position(ids, NULL) IS NULL;
  END LOOP;
  IF array_position(statuses, NULL) IS NOT NULL THEN
    PERFORM pg_notify('duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END)
    FROM unnest(wake) AS w (hint);
  END IF;
  RETURN json_build_object('ids', ids, 'ats', due_ms, 'statuses', statuses);
END
$$;

REVOKE ALL ON FUNCTION duework.enqueue_1, duework.enqueue_many_1 FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261120150000_enqueue', '6594911672344c18c955d433c3131cb0c4812340d8c5f0152b55725a09a43138');

-- 20261123100000_registry, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Every version of every contract that was ever pushed or run here, with its schema: what other services can check against, and
-- what a deploy may not change any more. Workers write it when they start, and a deploy may before.

CREATE TABLE duework.job_contracts (
  type           text        NOT NULL,
  version        integer     NOT NULL,
  -- JSON Schema, draft 2020-12, of what a producer may send
  payload_schema jsonb       NOT NULL,
  -- SHA-256 of the schema as text with sorted keys, so that a start compares a line for each version, and no schemas
  checksum       text        NOT NULL,
  first_seen_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_contracts_pkey PRIMARY KEY (type, version),
  CONSTRAINT job_contracts_type_check CHECK (type ~ '^[a-z][a-z0-9_]{0,62}$' AND version >= 1),
  CONSTRAINT job_contracts_checksum_check CHECK (checksum ~ '^[0-9a-f]{64}$')
);

-- The next live runs behind an id, by id, for whoever reads all of them: at most `batch`, and no more than `bytes` of payloads as
-- they are stored, beside the first. The settings leave the planner no way but along the ids: with others it would look at all that
-- is left each time.
CREATE FUNCTION duework.read_payloads(after_id bigint, last_id bigint, batch integer, bytes bigint)
RETURNS TABLE (id bigint, job_type text, job_version integer, payload jsonb)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  SELECT b.id, b.job_type, b.job_version, b.payload
  FROM (
    SELECT r.*, sum(pg_column_size(r.payload)) OVER (ORDER BY r.id ROWS UNBOUNDED PRECEDING) - pg_column_size(r.payload) AS bytes_before
    FROM (
      SELECT j.id, j.job_type, j.job_version, j.payload
      FROM duework.job_runs AS j
      WHERE j.id > after_id AND j.id <= last_id
      ORDER BY j.id
      LIMIT batch
    ) r
  ) b
  WHERE b.bytes_before < bytes
$$;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261123100000_registry', 'aefcf39cd1b3403a0d6c2ec84c3ceaf38332af5237a2cc02d7a89015a1a0298c');

-- 20261123110000_sql_enqueue, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- duework.enqueue: what enqueue does in TypeScript, for triggers, other languages and a session of psql. It knows a type from
-- job_definitions, which workers write when they start, and writes through duework.enqueue_1 like everybody else.
--
-- Unlike enqueue_1 it is called by texts that nobody compiles, so its name has no number: parameters are only ever added, at the end
-- and with a default. enqueue_1 stays as it is beside it.

ALTER TABLE duework.job_definitions
  -- payloads of this version up to `version` can be read; null: of `version` only
  ADD COLUMN oldest_version integer,
  -- the contract makes a key from each payload, in its own code; true where the program that wrote the row does not say
  ADD COLUMN has_key boolean NOT NULL DEFAULT true,
  -- how long a key holds; null: as long as its run is kept
  ADD COLUMN key_window_ms bigint;

-- Refuses a payload that no worker could read, as TypeScript does: over 64 KiB, more than 100 levels, a key that parsers leave out. Where
-- the extension pg_jsonschema is there, also one that does not fit `schema`; null: there is none to check it with.
--
-- No message shows a value: payloads stay out of the server's log.
CREATE FUNCTION duework.check_payload(type text, payload jsonb, schema jsonb) RETURNS void
LANGUAGE plpgsql
STABLE
AS $$
DECLARE
  max_bytes CONSTANT integer := 65536;
  content   text := payload::text;
  bytes     integer := octet_length(content);
  validator name;
  is_valid  boolean := true;
BEGIN
  -- jsonb writes a blank behind each comma and colon, which the limit does not count: less than half of its text
  IF bytes BETWEEN max_bytes + 1 AND 2 * max_bytes THEN
    content := regexp_replace(content, E'"([^"\\\\]|\\\\.)*"', '', 'g');
    bytes := bytes - (length(content) - length(replace(content, ' ', '')));
  END IF;
  IF bytes > max_bytes THEN
    RAISE EXCEPTION 'The payload of % is % bytes; the limit is %.', type, bytes, max_bytes
      USING ERRCODE = '22W03', DETAIL = 'payload_too_large', HINT = 'Store the content elsewhere and enqueue a reference.';
  END IF;
  -- a level takes two characters
  IF bytes > 200 AND jsonb_path_exists(payload, 'strict $.**{100} ? (@.type() == "object" || @.type() == "array")') THEN
    RAISE EXCEPTION 'The payload of % is nested more than 100 levels deep.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  IF strpos(payload::text, '"__proto__":') > 0 AND jsonb_path_exists(payload, '$.**."__proto__"') THEN
    RAISE EXCEPTION 'The payload of % has a key "__proto__", which would be lost.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  SELECT n.nspname INTO validator FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_jsonschema';
  IF validator IS NULL OR schema IS NULL THEN RETURN; END IF;
  BEGIN
    EXECUTE format('SELECT %I.jsonb_matches_schema($1, $2)', validator) INTO is_valid USING schema::json, payload;
  EXCEPTION WHEN OTHERS THEN
    -- the worker parses it anyway: a check that cannot be made must not undo the caller's work
    RAISE WARNING 'The payload of % could not be checked: %', type, SQLERRM;
  END;
  IF NOT is_valid THEN
    RAISE EXCEPTION 'The payload of % does not fit the JSON Schema of its contract.', type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload',
        HINT = format('The schema is payload_schema in duework.job_definitions; %I.jsonschema_validation_errors says what is wrong.', validator);
  END IF;
END
$$;

-- Writes a run of `type` in the caller's transaction and wakes a worker at its commit; answers with its id, or with that of the run
-- that has the key. What is left out has the contract's default. `version`: of the contract for which the payload was written; a trigger
-- names the one that it was written for, and so survives the next one.
--
-- The payload is stored as it is given: the worker parses it, and has it dead with invalid_payload where it does not fit.
CREATE FUNCTION duework.enqueue(
  type text,
  payload jsonb DEFAULT NULL,
  idempotency_key text DEFAULT NULL,
  run_at timestamptz DEFAULT NULL,
  delay interval DEFAULT NULL,
  priority integer DEFAULT NULL,
  max_attempts integer DEFAULT NULL,
  version integer DEFAULT NULL,
  meta jsonb DEFAULT NULL,
  OUT id bigint,
  OUT is_deduplicated boolean
)
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  job       duework.job_definitions;
  counter   text;
  told      integer;
  answer    text[];
BEGIN
  SELECT d.* INTO job FROM duework.job_definitions d WHERE d.type = enqueue.type;
  IF job.type IS NULL THEN
    RAISE EXCEPTION 'There is no job type %. Known: %.', coalesce(to_json(left(enqueue.type, 100))::text, 'null'),
      (SELECT coalesce(left(string_agg(d.type, ', ' ORDER BY d.type), 1000), 'none') FROM duework.job_definitions d)
      USING ERRCODE = '22W01', DETAIL = 'unknown_job_type', HINT = 'A worker makes its types known when it starts.';
  END IF;
  IF enqueue.version NOT BETWEEN coalesce(job.oldest_version, job.version) AND job.version THEN
    RAISE EXCEPTION 'The payload was written for version % of %; % to % are known.',
      enqueue.version, job.type, coalesce(job.oldest_version, job.version), job.version
      USING ERRCODE = '22W07', DETAIL = 'unknown_job_version', HINT = 'A worker makes its versions known when it starts.';
  END IF;
  IF enqueue.payload IS NULL AND (job.default_payload IS NULL OR enqueue.version < job.version) THEN
    RAISE EXCEPTION 'A % needs a payload: its contract has no default one.', job.type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload', HINT = 'Give payload => jsonb_build_object(…).';
  END IF;
  -- guard: sql-key-given
  IF job.has_key AND enqueue.idempotency_key IS NULL THEN
    RAISE EXCEPTION 'A % has an idempotency key, which its contract makes in its own code: it has to be given here.', job.type
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key', HINT = 'Give idempotency_key => …, as the contract makes it.';
  END IF;
  -- guard end: sql-key-given
  IF length(enqueue.idempotency_key) NOT BETWEEN 1 AND 255 THEN
    RAISE EXCEPTION 'The idempotency key of a % has % characters; it has 1 to 255.', job.type, length(enqueue.idempotency_key)
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  IF enqueue.priority NOT BETWEEN 0 AND 9 THEN
    RAISE EXCEPTION 'priority is a whole number from 0 (first) to 9 (last), not %.', enqueue.priority
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF enqueue.max_attempts NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'max_attempts is a whole number from 1 to 1000, not %.', enqueue.max_attempts
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF enqueue.run_at IS NOT NULL AND enqueue.delay IS NOT NULL THEN
    RAISE EXCEPTION 'delay is given without run_at.' USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF enqueue.delay NOT BETWEEN interval '0' AND interval '1000 years' THEN
    RAISE EXCEPTION 'delay is from 0 to 1000 years, not %.', enqueue.delay USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF enqueue.run_at < '1970-01-01Z' OR enqueue.run_at >= '10000-01-01Z' THEN
    RAISE EXCEPTION 'run_at is between the years 1970 and 9999, not %.', enqueue.run_at
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  -- octet_length: jsonb writes a blank behind each comma and colon
  IF jsonb_typeof(enqueue.meta) <> 'object' OR jsonb_path_exists(enqueue.meta, '$.* ? (@.type() != "string")')
    OR octet_length(enqueue.meta::text) > 2048 THEN
    RAISE EXCEPTION 'meta is a JSON object of texts, of at most 2048 bytes.' USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  PERFORM duework.check_payload(
    job.type, enqueue.payload, CASE WHEN coalesce(enqueue.version, job.version) = job.version THEN job.payload_schema END
  );

  -- How many runs this transaction has written into the queue: its wake-ups are sent together, at the commit, and the tenth wakes
  -- everybody. In a setting, because a function has no other memory that a rollback takes back. `$`, because a setting's name has no `-`.
  counter := 'duework.told_' || replace(job.queue, '-', '$');
  -- guard: sql-told
  told := coalesce(substring(current_setting(counter, true) FROM '^[0-9]{1,3}$')::integer, 0) + 1;
  -- guard end: sql-told
  PERFORM set_config(counter, least(told, 10)::text, true);
  answer := string_to_array(
    duework.enqueue_1(
      job.type, coalesce(enqueue.version, job.version), job.queue, coalesce(enqueue.priority, job.priority)::smallint,
      coalesce(enqueue.max_attempts, job.max_attempts), coalesce(enqueue.payload, job.default_payload),
      coalesce(enqueue.run_at, now() + enqueue.delay), 0, enqueue.idempotency_key, job.key_window_ms,
      CASE
        WHEN told >= 10 THEN job.queue
        ELSE job.queue || ' ' || told || CASE WHEN enqueue.run_at IS NULL AND enqueue.delay IS NULL THEN ' now' ELSE ' later' END
      END,
      NULL, nullif(enqueue.meta, '{}')
    ),
    ' '
  );
  id := answer[1];
  is_deduplicated := cardinality(answer) = 3;
END
$$;

REVOKE ALL ON FUNCTION duework.check_payload, duework.enqueue FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261123110000_sql_enqueue', 'bf960a7d63f1d25e732c0a22f2b168d5bb79ed77fab9f4c3edbfc2d5b02c9592');

-- 20261124100100_search, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Search: which runs fit a filter, answered in bounded time whatever there is.
--
-- A search looks at sources, each in the order of its ids: live runs, what is dead, cancelled, what succeeded late, and the days of what
-- succeeded in time. Of a source it first asks for candidates: ids out of an index, if there are not too many of them. Where there is
-- no such index, or it knows too many, the search walks along the ids and looks at so many rows, its budget. Then it says how far it came.
-- So nothing but dead and cancelled runs, which are few, pays for being found.

DROP FUNCTION duework.walk_jobs;
DROP FUNCTION duework.walk_running_jobs;

-- What the words of an error are, for the index below: in small letters, without signs, so that an address is not one word but the parts
-- that people look for. Of the first 4,000 characters.
CREATE FUNCTION duework.error_words(code text, type text, message text) RETURNS text
LANGUAGE sql
IMMUTABLE
PARALLEL SAFE
AS $$
  SELECT translate(
    lower(left(coalesce(code || ' ', '') || coalesce(type || ' ', '') || coalesce(message, ''), 4000)),
    E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\n\r\t\u00a0«»–—‘’“”„…→', repeat(' ', 48)
  )
$$;

-- What is dead or cancelled is found by what it says about itself. The lists of what was not yet merged into these indexes are short,
-- because every search reads them.
CREATE INDEX job_history_dead_error_idx ON duework.job_history_dead
  USING gin (to_tsvector('simple', duework.error_words(error_code, error_type, last_error))) WITH (gin_pending_list_limit = 256);
CREATE INDEX job_history_dead_payload_idx ON duework.job_history_dead USING gin (payload jsonb_path_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX job_history_cancelled_payload_idx ON duework.job_history_cancelled USING gin (payload jsonb_path_ops)
  WITH (gin_pending_list_limit = 256);
CREATE INDEX job_history_dead_queue_idx ON duework.job_history_dead (queue);
CREATE INDEX job_history_cancelled_queue_idx ON duework.job_history_cancelled (queue);
-- who holds a key is in job_keys; these held one that may have passed to another run
CREATE INDEX job_history_dead_key_idx ON duework.job_history_dead (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX job_history_cancelled_key_idx ON duework.job_history_cancelled (idempotency_key) WHERE idempotency_key IS NOT NULL;
-- What succeeded within some minutes. A row costs it nothing: it keeps the first and the last moment of each 32 pages.
CREATE INDEX job_history_days_finished_at_idx ON duework.job_history_days USING brin (finished_at)
  WITH (pages_per_range = 32, autosummarize = on);

-- Runs that hold one of some keys: for each type that has keys a look into the index.
CREATE FUNCTION duework.find_ids_by_key(of_keys text[]) RETURNS SETOF bigint
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
  WITH RECURSIVE types (job_type) AS (
    (SELECT k.job_type FROM duework.job_keys k ORDER BY k.job_type LIMIT 1)
    UNION ALL
    SELECT next.job_type
    FROM types t
    CROSS JOIN LATERAL (SELECT k.job_type FROM duework.job_keys k WHERE k.job_type > t.job_type ORDER BY k.job_type LIMIT 1) next
  )
  SELECT k.run_id FROM types t JOIN duework.job_keys k ON k.job_type = t.job_type AND k.key = ANY(of_keys)
$$;

-- The last 20,000 runs that some schedules have made.
CREATE FUNCTION duework.find_ids_by_schedule(of_keys text[]) RETURNS SETOF bigint
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  SELECT s.run_id
  FROM unnest(of_keys) AS k (key)
  CROSS JOIN LATERAL (
    SELECT l.run_id, l.slot_at FROM duework.schedule_slots l WHERE l.schedule_key = k.key AND l.run_id IS NOT NULL ORDER BY l.slot_at DESC LIMIT 20000
  ) s
  ORDER BY s.slot_at DESC
  LIMIT 20000
$$;

-- The first partition, in a direction, of the days whose runs may have ids in a range; null: there is none. To open it counts as looking
-- at 400 rows.
CREATE FUNCTION duework.find_day(low_id bigint, high_id bigint, is_upward boolean) RETURNS text
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
  SELECT coalesce(
    (SELECT c.relname FROM pg_class c WHERE is_upward AND c.relname BETWEEN r.low AND r.high AND c.relkind = 'r' AND c.relnamespace = 'duework'::regnamespace
     ORDER BY c.relname LIMIT 1),
    (SELECT c.relname FROM pg_class c WHERE NOT is_upward AND c.relname BETWEEN r.low AND r.high AND c.relkind = 'r' AND c.relnamespace = 'duework'::regnamespace
     ORDER BY c.relname DESC LIMIT 1)
  )::text
  FROM (
    SELECT ('job_history_succeeded_' || to_char(duework.day_of_id(greatest(low_id, 0)), 'YYYYMMDD'))::name,
      -- no day later than today has a run
      ('job_history_succeeded_' || to_char(duework.day_of_id(least(greatest(high_id, 0), duework.first_id_today(1) - 1)), 'YYYYMMDD'))::name
  ) AS r (low, high)
$$;

-- Candidates for find_ids: the ids of a query, with {table} for each of some tables or partitions, and {fits} behind j.id. null: they are more than
-- `budget`.
CREATE FUNCTION duework.find_candidates(query text, tables text[], args text[], budget integer) RETURNS bigint[]
LANGUAGE plpgsql
STABLE
AS $$
DECLARE
  name  text;
  found bigint[];
  ids   bigint[] := '{}';
BEGIN
  FOREACH name IN ARRAY tables LOOP
    EXECUTE format('SELECT array_agg(c.id) FROM (%s LIMIT %s) c',
      replace(replace(query, '{table}', 'duework.' || quote_ident(name)), '{fits}', ''), budget + 1 - cardinality(ids))
    INTO found USING args;
    ids := ids || coalesce(found, '{}');
    IF cardinality(ids) > budget THEN RETURN NULL; END IF;
  END LOOP;
  RETURN ids;
END
$$;

-- The ids, in order, of the runs of one source that fit a condition.
--   source      live, failed (what is live and has ever failed), dead, cancelled, late, days_default, or days: tables and partitions
--   candidates  queries for ids, the likely rarest first: the first that knows no more than `budget` of them decides where to look
--   condition   of row j, with ($1)[n] for the n-th of `args`: SQL that whoever calls this might as well send by itself
--   low_id, high_id  no other ids
--   most        so many ids
--   budget      so many rows are looked at
--   is_counted  which ids they are does not matter, nor does their order
-- end_id: the last id that was looked at, where that was not the last; null: all that fit were found, or as many as were asked for.
-- The settings leave the planner no plan but to walk along the ids, or to take candidates from their index.
CREATE FUNCTION duework.find_ids(
  source text, candidates text[], condition text, args text[], low_id bigint, high_id bigint, is_upward boolean, most integer, budget integer,
  is_counted boolean, OUT ids bigint[], OUT end_id bigint
)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_indexscan = on
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  direction text := CASE WHEN is_upward THEN 'ASC' ELSE 'DESC' END;
  is_live   boolean := source IN ('live', 'failed');
  relation  text := CASE WHEN is_live THEN 'live_jobs' ELSE 'job_history_' || source END;
  extra     text := CASE WHEN source = 'failed' THEN 'AND j.failed_at IS NOT NULL' ELSE '' END;
  tables    text[] := ARRAY[relation];
  candidate text;
  chosen    bigint[];
  is_tried  boolean := false;
  looked    integer := 0;
  part      integer;
  seen      integer;
  last_id   bigint;
BEGIN
  ids := '{}';
  IF cardinality(candidates) > 0 THEN
    IF source = 'days' THEN
      SELECT coalesce(array_agg(n.name), '{}') INTO tables
      FROM generate_series(0, duework.day_of_id(least(high_id, duework.first_id_today(1) - 1)) - duework.day_of_id(greatest(low_id, duework.first_id_today(-60)))) AS d (day)
      CROSS JOIN LATERAL (
        SELECT 'job_history_succeeded_' || to_char(duework.day_of_id(greatest(low_id, duework.first_id_today(-60))) + d.day, 'YYYYMMDD') AS name
      ) n
      WHERE to_regclass('duework.' || n.name) IS NOT NULL;
    END IF;
    -- an index over finished runs is read at once, and not in an order that a walk along the ids would have, too
    IF NOT is_live THEN PERFORM set_config('enable_bitmapscan', 'on', true), set_config('enable_indexscan', 'off', true); END IF;
    -- among many candidates a count mostly finds enough that fit, wherever they are, and a walk fewer
    is_tried := is_counted AND source IN ('dead', 'cancelled') AND candidates[1] LIKE '%{table}%';
    IF is_tried THEN
      EXECUTE format('SELECT coalesce(array_agg(c.id), ''{}'') FROM (SELECT w.id FROM (%s LIMIT $2) AS w WHERE w.fits LIMIT $3) AS c',
        replace(replace(candidates[1], '{table}', 'duework.' || quote_ident(relation)), '{fits}', format(', (%s) IS TRUE AS fits', condition)))
      INTO ids USING args, budget, most;
      IF cardinality(ids) = most THEN RETURN; END IF;
    END IF;
    FOREACH candidate IN ARRAY candidates LOOP
      IF candidate NOT LIKE '%{table}%' THEN chosen := duework.find_candidates(candidate, '{""}', args, budget);
      -- not of more than sixty days
      ELSIF source <> 'days' OR low_id > duework.first_id_today(-60) THEN chosen := duework.find_candidates(candidate, tables, args, budget);
      END IF;
      EXIT WHEN chosen IS NOT NULL;
    END LOOP;
    PERFORM set_config('enable_bitmapscan', 'off', true), set_config('enable_indexscan', 'on', true);
    -- the table has more rows than a count may look at, and too few of the likely ones fit
    IF is_tried AND chosen IS NULL THEN
      end_id := 0;
      RETURN;
    END IF;
  END IF;

  IF chosen IS NOT NULL AND source = 'days' THEN
    -- with its ids as constants the partitions of other days are not opened
    EXECUTE format('
      SELECT array_agg(j.id) FROM duework.job_history_days AS j
      WHERE j.id = ANY($2) AND j.id BETWEEN $3 AND $4 AND j.tableoid <> ''duework.job_history_days_default''::regclass AND (%s)', condition)
    INTO chosen USING args, chosen, low_id, high_id;
    SELECT coalesce(array_agg(t.id), '{}') INTO ids
    FROM (SELECT u.id FROM unnest(chosen) AS u (id) ORDER BY CASE WHEN is_upward THEN u.id ELSE -u.id END LIMIT most) t;
    RETURN;
  ELSIF chosen IS NOT NULL THEN
    EXECUTE format('
      SELECT coalesce(array_agg(f.id), ''{}'') FROM (
        SELECT j.id FROM (SELECT DISTINCT u.id FROM unnest($2) AS u (id) WHERE u.id BETWEEN $3 AND $4 ORDER BY u.id %1$s) AS c
        CROSS JOIN LATERAL (SELECT * FROM duework.%2$I AS r WHERE r.id = c.id OFFSET 0) AS j
        WHERE (%3$s) %4$s
        LIMIT $5
      ) f', direction, relation, condition, extra)
    INTO ids USING args, chosen, low_id, high_id, most;
    RETURN;
  END IF;

  LOOP
    IF source = 'days' THEN
      relation := duework.find_day(low_id, high_id, is_upward);
      EXIT WHEN relation IS NULL;
      IF looked >= budget THEN
        end_id := CASE WHEN is_upward THEN duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD')) - 1
          ELSE duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD') + 1) END;
        RETURN;
      END IF;
      looked := looked + 400;
    END IF;
    part := 2 * most;
    LOOP
      -- at least one, so that the next page begins behind it
      part := least(part, greatest(budget - looked, 1));
      EXECUTE format('
        SELECT coalesce(array_agg(w.id) FILTER (WHERE w.fits), ''{}''), count(*), %s(w.id)
        FROM (
          SELECT j.id, (%s) IS TRUE AS fits FROM duework.%I AS j WHERE j.id BETWEEN $2 AND $3 %s ORDER BY j.id %s LIMIT $4
        ) AS w', CASE WHEN is_upward THEN 'max' ELSE 'min' END, condition, relation, extra, direction)
      INTO chosen, seen, last_id USING args, low_id, high_id, part;
      ids := (ids || chosen)[1:most];
      IF cardinality(ids) = most THEN RETURN; END IF;
      looked := looked + seen;
      EXIT WHEN seen < part;
      IF looked >= budget THEN
        end_id := last_id;
        RETURN;
      END IF;
      IF is_upward THEN low_id := last_id + 1; ELSE high_id := last_id - 1; END IF;
      part := 4 * part;
    END LOOP;
    EXIT WHEN source <> 'days';
    IF is_upward THEN low_id := duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD') + 1);
    ELSE high_id := duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD')) - 1;
    END IF;
  END LOOP;
END
$$;

-- The running runs that fit a condition, the longest due first (`is_upward`: the other way round), with the places at which they stand.
-- Everything that runs is due, and among the first of its queue and priority, because claims take the longest due first: no index knows
-- what runs, for every claim would pay for it. A walk stops after `budget` entries, and where there are many after 500 at least; what lies
-- beyond the first of their ends is left to the next page. A statement over the view live_jobs, whose settings leave no plan but to walk
-- along job_runs_claim_idx.
--   queues  null: all of them
CREATE FUNCTION duework.find_running(
  queues text[], condition text, args text[], after_run_at timestamptz, after_id bigint, is_upward boolean, most integer, budget integer,
  OUT ids bigint[], OUT end_run_at timestamptz, OUT end_id bigint
)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  EXECUTE format('
    WITH RECURSIVE places (queue, priority) AS (
      (SELECT r.queue, r.priority FROM duework.job_runs r ORDER BY r.queue, r.priority LIMIT 1)
      UNION ALL
      SELECT next.*
      FROM places p
      CROSS JOIN LATERAL (
        SELECT r.queue, r.priority FROM duework.job_runs r WHERE (r.queue, r.priority) > (p.queue, p.priority)
        ORDER BY r.queue, r.priority LIMIT 1
      ) next
    ),
    asked AS MATERIALIZED (SELECT p.* FROM places p WHERE $2 IS NULL OR p.queue = ANY($2)),
    share AS MATERIALIZED (SELECT least($6, greatest(4 * $6 / greatest(count(*), 1), 500)) AS n FROM asked),
    walked AS MATERIALIZED (
      SELECT w.*
      FROM asked p
      CROSS JOIN LATERAL (
        SELECT d.*, row_number() OVER (ORDER BY d.run_at %1$s, d.id %1$s) AS position
        FROM (
          SELECT j.run_at, j.id, CASE WHEN j.status = ''running'' THEN (%3$s) IS TRUE ELSE false END AS fits
          FROM duework.live_jobs j
          WHERE j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now() AND (j.run_at, j.id) %2$s ($3, $4)
          ORDER BY j.run_at %1$s, j.id %1$s
          LIMIT (SELECT n FROM share)
        ) d
      ) w
    ),
    -- null where every walk came to its end
    cut AS MATERIALIZED (SELECT run_at, id FROM walked WHERE position = (SELECT n FROM share) ORDER BY run_at %1$s, id %1$s LIMIT 1),
    found AS MATERIALIZED (
      SELECT w.run_at, w.id
      FROM walked w
      WHERE w.fits AND NOT EXISTS (SELECT FROM cut c WHERE (w.run_at, w.id) %2$s (c.run_at, c.id))
      ORDER BY w.run_at %1$s, w.id %1$s
      LIMIT $5
    )
    SELECT coalesce((SELECT array_agg(id ORDER BY run_at %1$s, id %1$s) FROM found), ''{}''), c.run_at, c.id
    FROM (SELECT) one LEFT JOIN cut c ON (SELECT count(*) FROM found) < $5',
    CASE WHEN is_upward THEN 'DESC' ELSE 'ASC' END, CASE WHEN is_upward THEN '<' ELSE '>' END, condition)
  INTO ids, end_run_at, end_id USING args, queues, after_run_at, after_id, most, budget;
END
$$;

-- Runs by their ids, wherever they are, in no order.
CREATE FUNCTION duework.read_jobs(run_ids bigint[]) RETURNS SETOF duework.jobs
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT * FROM duework.live_jobs WHERE id = ANY(run_ids);
  -- a statement of its own, with the ids as constants: the partitions of other days are not opened
  RETURN QUERY EXECUTE 'SELECT * FROM duework.finished_jobs WHERE id = ANY($1)' USING run_ids;
END
$$;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100100_search', '829f7660abd14703610b5e9efa34a6f95244942aae5a023d6b7554d3d774d160');

-- 20261124100200_audit, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- What operators did: one row for each change that a person, a command or a program made by hand, written by the statement (or in the
-- transaction) that changes it. What no operator does (claims, settlements, ticks) is not here.
CREATE TABLE duework.audit_entries (
  id           bigint      GENERATED ALWAYS AS IDENTITY,
  at           timestamptz NOT NULL DEFAULT now(),
  -- `key:deploy`, `person:ana@example.org`, `command:root@host1`, `program`
  by           text        NOT NULL,
  -- through what: the API, the command, or a function that a program called
  via          text        NOT NULL,
  from_address text,
  verb         text        NOT NULL,
  -- what was changed, `job` or `schedule`, and its id or key
  kind         text        NOT NULL,
  target       text        NOT NULL,
  -- what has changed, as it was and as it became; never the value of a payload's field
  before       jsonb,
  after        jsonb,
  reason       text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_via_check CHECK (via IN ('api', 'command', 'program')),
  CONSTRAINT audit_entries_texts_check CHECK (
    char_length(by) BETWEEN 1 AND 1000 AND char_length(reason) <= 1000 AND char_length(from_address) <= 100
    AND verb ~ '^[a-z][a-z_]{0,62}$' AND kind ~ '^[a-z][a-z_]{0,62}$' AND char_length(target) BETWEEN 1 AND 255
  )
);

-- a page of the audit, newest first, and retention
CREATE INDEX audit_entries_at_idx ON duework.audit_entries (at, id);
-- what happened to one job, schedule, queue
CREATE INDEX audit_entries_target_idx ON duework.audit_entries (kind, target, at, id);
-- what one person did
CREATE INDEX audit_entries_by_idx ON duework.audit_entries (by, at, id);

-- Refuses what would change the past. Only duework.retain_audit may delete, and not even it what is younger than 30 days.
CREATE FUNCTION duework.keep_audit() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  -- guard: audit-append-only
  IF TG_OP = 'DELETE' AND coalesce(current_setting('duework.retains_audit', true), '') = 'on' THEN
    IF TG_LEVEL = 'STATEMENT' THEN RETURN NULL; END IF;
    -- guard: audit-young
    IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
    -- guard end: audit-young
  END IF;
  RAISE EXCEPTION 'The audit is only ever added to: % of % is refused.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '0A000', HINT = 'duework.retain_audit removes what is old enough.';
  -- guard end: audit-append-only
END
$$;

CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON duework.audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();
-- behind the statement's: whoever sets the setting by hand still deletes nothing that is young
CREATE TRIGGER audit_entries_keep_young BEFORE DELETE ON duework.audit_entries
  FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

-- Deletes at most `batch` entries that are older than `keep_days`, 30 at the least; returns how many. It runs as its owner, so that the
-- application's role needs no right to delete.
CREATE FUNCTION duework.retain_audit(keep_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  gone integer;
BEGIN
  -- a clause of the function would need a role that may set any parameter
  PERFORM set_config('duework.retains_audit', 'on', true);
  DELETE FROM duework.audit_entries
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.audit_entries
    WHERE at < now() - greatest(30, keep_days) * interval '1 day'
    ORDER BY at
    LIMIT batch
    FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('duework.retains_audit', '', true);
  RETURN gone;
END
$$;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100200_audit', 'deae1539b77f5b2a05b549e950fa98436d79d0df44eca6dfdb02225a4aa438bb');

-- 20261124100201_bulk_actions, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- What is done to many jobs at once, in the background: one row for each action, moved on by short statements that any process may send.
CREATE TABLE duework.bulk_actions (
  id           bigint      GENERATED ALWAYS AS IDENTITY,
  verb         text        NOT NULL,
  -- as it was typed; '' for an undo
  filter       text        NOT NULL,
  -- of edit_payload: the only type whose payloads it edits, so that whoever lacks its contract leaves it to others
  job_type     text,
  options      jsonb       NOT NULL,
  undo_of      bigint,
  status       text        NOT NULL DEFAULT 'running',
  by           text        NOT NULL,
  via          text        NOT NULL,
  from_address text,
  reason       text,
  -- how many jobs fitted when it began; `total_is_at_least`: there were more than were counted
  total        bigint      NOT NULL,
  total_is_at_least boolean NOT NULL,
  done         bigint      NOT NULL DEFAULT 0,
  -- how many were refused, by code
  refused      jsonb       NOT NULL DEFAULT '{}',
  -- where the next step begins: behind this id, in this part of the jobs; jobs with an id over last_id came later
  stage        text        NOT NULL,
  after_id     bigint      NOT NULL DEFAULT 0,
  last_id      bigint      NOT NULL,
  per_second   integer     NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  next_step_at timestamptz NOT NULL DEFAULT now(),
  finished_at  timestamptz,
  CONSTRAINT bulk_actions_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_actions_status_check CHECK (
    status IN ('running', 'finished', 'aborted') AND (status = 'running') = (finished_at IS NULL)
  ),
  CONSTRAINT bulk_actions_undo_check CHECK ((verb = 'undo') = (undo_of IS NOT NULL)),
  CONSTRAINT bulk_actions_rate_check CHECK (per_second BETWEEN 1 AND 1000000)
);

-- what is to be done, which every worker asks for each second
CREATE INDEX bulk_actions_running_idx ON duework.bulk_actions (next_step_at) WHERE status = 'running';
-- an action is undone once
CREATE UNIQUE INDEX bulk_actions_undo_of_idx ON duework.bulk_actions (undo_of) WHERE undo_of IS NOT NULL;

-- Which jobs an action has changed, a row for each step: with it the audit tells what was done to one job, at the cost of 200 rows for
-- 200,000 jobs. It is added to only, like the audit.
CREATE TABLE duework.bulk_action_runs (
  bulk_action_id bigint      NOT NULL,
  first_id       bigint      NOT NULL,
  last_id        bigint      NOT NULL,
  run_ids        bigint[]    NOT NULL,
  at             timestamptz NOT NULL DEFAULT now(),
  stage          text        NOT NULL,
  CONSTRAINT bulk_action_runs_pkey PRIMARY KEY (bulk_action_id, stage, first_id)
);
CREATE INDEX bulk_action_runs_ids_idx ON duework.bulk_action_runs (last_id, first_id);
CREATE INDEX bulk_action_runs_at_idx ON duework.bulk_action_runs (at);

-- What an undo needs to know of each job: what it was, and how the action left it. Deleted an hour after the action's end; of an edited
-- payload it holds the old value, which is why it is no part of the audit.
CREATE TABLE duework.bulk_undos (
  bulk_action_id bigint NOT NULL,
  run_id         bigint NOT NULL,
  fence          bigint NOT NULL,
  was            jsonb  NOT NULL,
  as_left        jsonb  NOT NULL,
  CONSTRAINT bulk_undos_pkey PRIMARY KEY (bulk_action_id, run_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

CREATE TRIGGER bulk_action_runs_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON duework.bulk_action_runs
  FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();
CREATE TRIGGER bulk_action_runs_keep_young BEFORE DELETE ON duework.bulk_action_runs
  FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

-- Deletes at most `batch` lists of jobs that bulk actions changed, and the actions themselves, older than `keep_days`, 30 at the least;
-- returns how many lists.
CREATE FUNCTION duework.retain_bulk_actions(keep_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  oldest CONSTANT timestamptz := now() - greatest(30, keep_days) * interval '1 day';
  gone integer;
BEGIN
  -- a clause of the function would need a role that may set any parameter
  PERFORM set_config('duework.retains_audit', 'on', true);
  DELETE FROM duework.bulk_action_runs
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.bulk_action_runs WHERE at < oldest ORDER BY at LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM duework.bulk_actions WHERE finished_at < oldest;
  PERFORM set_config('duework.retains_audit', '', true);
  RETURN gone;
END
$$;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100201_bulk_actions', '58945f5f5a5b968d03b2753216faa4e8813aa891f3e6b58ee5598de86f1a82c2');

-- 20261124100300_pauses, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Queues and types of which no run is claimed until somebody resumes them, or their end has passed. Every claim looks at this table,
-- so it is kept to the pauses that hold: a resume deletes its row, and so does the maintenance of pauses that have ended.
CREATE TABLE duework.pauses (
  kind    text        NOT NULL,
  name    text        NOT NULL,
  since   timestamptz NOT NULL DEFAULT now(),
  -- null: until somebody resumes it
  until   timestamptz,
  by      text,
  reason  text,
  CONSTRAINT pauses_pkey PRIMARY KEY (kind, name),
  CONSTRAINT pauses_kind_check CHECK (kind IN ('queue', 'type')),
  CONSTRAINT pauses_span_check CHECK (isfinite(since) AND isfinite(until)),
  CONSTRAINT pauses_text_check CHECK (char_length(name) BETWEEN 1 AND 63 AND char_length(by) <= 1000 AND char_length(reason) <= 1000)
-- vacuumed whenever a pause was resumed, so that the table is empty again, and costs claims nothing
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
COMMENT ON TABLE duework.pauses IS 'Queues and types of which nothing is claimed';

-- Why, by whom and until when a schedule is paused.
ALTER TABLE duework.schedules
  ADD COLUMN paused_at    timestamptz,
  ADD COLUMN paused_until timestamptz,
  ADD COLUMN paused_by    text,
  ADD COLUMN pause_reason text,
  ADD CONSTRAINT schedules_pause_check CHECK (is_paused OR num_nonnulls(paused_at, paused_until, paused_by, pause_reason) = 0);
-- finds the pauses that end, for the tick
CREATE INDEX schedules_pause_end_idx ON duework.schedules (paused_until, id) WHERE is_paused AND paused_until IS NOT NULL;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100300_pauses', 'a9e5ccccb9717259dbe8d44302bcc4c870c0f788d08c07f431e2e5f72da90b24');

-- 20261124100310_workers, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

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

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100310_workers', '6dda81b4350775600e22bd7d3e99816e91baa6623a52457212fb8a5d57919da8');

-- 20261124100320_figures, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- What workers did, by queue and type: a line for each minute of the last day, and for each hour of the last 90. Workers add up in
-- memory and add to both once a minute. One of them samples what waits, once a minute.
CREATE TABLE duework.figures_minutes (
  at         timestamptz NOT NULL,
  queue      text        NOT NULL,
  job_type   text        NOT NULL,
  -- attempts that began, and how they ended
  claimed    bigint      NOT NULL DEFAULT 0,
  succeeded  bigint      NOT NULL DEFAULT 0,
  failed     bigint      NOT NULL DEFAULT 0,
  dead       bigint      NOT NULL DEFAULT 0,
  cancelled  bigint      NOT NULL DEFAULT 0,
  snoozed    bigint      NOT NULL DEFAULT 0,
  -- how many waited, from due to claimed, and ran for how long: the n-th number counts times below 2^(n-1) ms and not below half of it
  waited     bigint[]    NOT NULL DEFAULT '{}',
  ran        bigint[]    NOT NULL DEFAULT '{}',
  waited_ms  double precision NOT NULL DEFAULT 0,
  ran_ms     double precision NOT NULL DEFAULT 0,
  -- the most that was seen by a sample; null: no sample has seen the type
  due            bigint,
  running        bigint,
  oldest_seconds double precision,
  CONSTRAINT figures_minutes_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
CREATE TABLE duework.figures_hours (LIKE duework.figures_minutes INCLUDING DEFAULTS,
  CONSTRAINT figures_hours_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
COMMENT ON TABLE duework.figures_minutes IS 'Work by queue and type, minute by minute, for a day';
COMMENT ON TABLE duework.figures_hours IS 'Work by queue and type, hour by hour, for 90 days';

-- The sum of two lists of counts, the shorter one as if it went on with zeros.
CREATE FUNCTION duework.add_counts(a bigint[], b bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE
AS $$
  SELECT coalesce(array_agg(coalesce(t.x, 0) + coalesce(t.y, 0) ORDER BY t.place), '{}') FROM unnest(a, b) WITH ORDINALITY AS t (x, y, place)
$$;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100320_figures', '6d1ba20220a51a1a4931329c9f19bd96b90a3cd27cc3bfa6638f19cad94831ff');

-- 20261124100400_sensitive, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- What contracts call sensitive, and rights for roles that own nothing.

ALTER TABLE duework.job_definitions
  -- pointers to the sensitive values of payloads of every version that can be read, and of results: whoever shows payloads without the
  -- program that defines them hides these
  ADD COLUMN sensitive text[] NOT NULL DEFAULT '{}',
  ADD COLUMN sensitive_result text[] NOT NULL DEFAULT '{}',
  -- a payload that is not encrypted is refused
  ADD COLUMN requires_encryption boolean NOT NULL DEFAULT false;

-- As before; and refuses to store in plain text what its contract wants encrypted.
CREATE OR REPLACE FUNCTION duework.check_payload(type text, payload jsonb, schema jsonb) RETURNS void
LANGUAGE plpgsql
STABLE
AS $$
DECLARE
  max_bytes CONSTANT integer := 65536;
  content   text := payload::text;
  bytes     integer := octet_length(content);
  validator name;
  is_valid  boolean := true;
BEGIN
  -- guard: sql-plain-refused
  IF EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = check_payload.type AND d.requires_encryption) THEN
    RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', type
      USING ERRCODE = '22W08', DETAIL = 'key_ring_missing', HINT = 'Enqueue it in TypeScript, in a process that has a key ring.';
  END IF;
  -- guard end: sql-plain-refused
  -- jsonb writes a blank behind each comma and colon, which the limit does not count: less than half of its text
  IF bytes BETWEEN max_bytes + 1 AND 2 * max_bytes THEN
    content := regexp_replace(content, E'"([^"\\\\]|\\\\.)*"', '', 'g');
    bytes := bytes - (length(content) - length(replace(content, ' ', '')));
  END IF;
  IF bytes > max_bytes THEN
    RAISE EXCEPTION 'The payload of % is % bytes; the limit is %.', type, bytes, max_bytes
      USING ERRCODE = '22W03', DETAIL = 'payload_too_large', HINT = 'Store the content elsewhere and enqueue a reference.';
  END IF;
  -- a level takes two characters
  IF bytes > 200 AND jsonb_path_exists(payload, 'strict $.**{100} ? (@.type() == "object" || @.type() == "array")') THEN
    RAISE EXCEPTION 'The payload of % is nested more than 100 levels deep.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  IF strpos(payload::text, '"__proto__":') > 0 AND jsonb_path_exists(payload, '$.**."__proto__"') THEN
    RAISE EXCEPTION 'The payload of % has a key "__proto__", which would be lost.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  SELECT n.nspname INTO validator FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_jsonschema';
  IF validator IS NULL OR schema IS NULL THEN RETURN; END IF;
  BEGIN
    EXECUTE format('SELECT %I.jsonb_matches_schema($1, $2)', validator) INTO is_valid USING schema::json, payload;
  EXCEPTION WHEN OTHERS THEN
    -- the worker parses it anyway: a check that cannot be made must not undo the caller's work
    RAISE WARNING 'The payload of % could not be checked: %', type, SQLERRM;
  END;
  IF NOT is_valid THEN
    RAISE EXCEPTION 'The payload of % does not fit the JSON Schema of its contract.', type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload',
        HINT = format('The schema is payload_schema in duework.job_definitions; %I.jsonschema_validation_errors says what is wrong.', validator);
  END IF;
END
$$;

-- Gives every daily partition the rights that were granted on the table that it is part of: some statements name a partition.
CREATE FUNCTION duework.share_rights() RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  given text;
BEGIN
  FOR given IN
    SELECT format('GRANT %s%s ON duework.%I TO %s', held.privilege, coalesce(' (' || quote_ident(held.col) || ')', ''), part.relname,
      CASE held.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(held.grantee)) END)
    FROM pg_inherits i
    JOIN pg_class part ON part.oid = i.inhrelid
    JOIN pg_class parent ON parent.oid = i.inhparent
    CROSS JOIN LATERAL (
      SELECT a.privilege_type AS privilege, NULL::name AS col, a.grantee FROM aclexplode(parent.relacl) a
      UNION ALL
      SELECT a.privilege_type, t.attname, a.grantee
      FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) a
      WHERE t.attrelid = parent.oid AND NOT t.attisdropped
    ) held
    WHERE i.inhparent IN ('duework.job_history_days'::regclass, 'duework.job_attempts_days'::regclass)
      AND held.grantee <> parent.relowner
      AND part.relname ~ '_[0-9]{8}$'
      AND part.relacl IS NULL
  LOOP
    EXECUTE given;
  END LOOP;
END
$$;

-- A worker makes and drops daily partitions, which takes their owner's rights: it gets these two functions in place of the tables.
ALTER FUNCTION duework.ensure_partitions(integer, integer) RENAME TO make_partitions;

CREATE FUNCTION duework.ensure_partitions(days_ahead integer, days_back integer DEFAULT 0) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made integer := duework.make_partitions(days_ahead, days_back);
BEGIN
  IF made > 0 THEN PERFORM duework.share_rights(); END IF;
  RETURN made;
END
$$;

ALTER FUNCTION duework.retain(integer, integer) SECURITY DEFINER SET search_path = pg_catalog, pg_temp;

REVOKE ALL ON FUNCTION duework.make_partitions, duework.ensure_partitions, duework.retain, duework.share_rights FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100400_sensitive', '1c189f546f137c02f40fe388ee4b24772e431ce67c403c99d6eeac19bb01bead');

-- 20261124100600_api_keys, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Who may call the API: a key is kept as the hash of its secret, so that what is stolen from here opens nothing.

CREATE TABLE duework.api_keys (
  -- public: the part of the key that names it, in logs and lists
  id           text        NOT NULL,
  name         text        NOT NULL,
  -- SHA-256 of 32 random bytes: nothing slower is needed, because nobody can try all of them
  secret_hash  bytea       NOT NULL,
  scopes       text[]      NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  created_by   text,
  -- null: never
  expires_at   timestamptz,
  -- at most a minute behind
  last_used_at timestamptz,
  revoked_at   timestamptz,
  revoked_by   text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_id_check CHECK (id ~ '^[0-9a-z]{12}$'),
  CONSTRAINT api_keys_name_check CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  CONSTRAINT api_keys_secret_hash_check CHECK (octet_length(secret_hash) = 32),
  CONSTRAINT api_keys_scopes_check CHECK (
    array_to_string(scopes, ',', '?')
      ~ '^(enqueue(:[a-z][a-z0-9_]{0,62})?|read|payloads|sensitive|operate|schedules|admin)(,(enqueue(:[a-z][a-z0-9_]{0,62})?|read|payloads|sensitive|operate|schedules|admin))*$'
  ),
  CONSTRAINT api_keys_revoked_check CHECK (revoked_by IS NULL OR revoked_at IS NOT NULL)
);

-- The audit names a key by its name, so two that work never share one.
CREATE UNIQUE INDEX api_keys_name_idx ON duework.api_keys (name) WHERE revoked_at IS NULL;

-- Whoever can read this table learns who may call, never with what; still, only its owner needs it.
REVOKE ALL ON duework.api_keys FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100600_api_keys', '14d7c14720c6a123d53d6faf5ff6b51fb2c10f8788ddae238feb3aafaf49cf57');

-- 20261124100700_answers, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Answers to HTTP requests that had an Idempotency-Key: for a day, the same request is answered with the first answer again.

CREATE TABLE duework.kept_answers (
  -- who asked; two who choose the same key do not meet
  principal   text NOT NULL,
  key         text NOT NULL,
  -- of the method, the path and the body
  fingerprint text NOT NULL,
  status      integer NOT NULL,
  headers     jsonb NOT NULL,
  body        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT kept_answers_pkey PRIMARY KEY (principal, key)
);
CREATE INDEX kept_answers_created_at_idx ON duework.kept_answers (created_at);

-- Takes the key for this transaction. {"state": "free"}: the caller acts now, and keeps its answer with keep_answer. "kept": the answer that was
-- given before, with its status, headers and body. "other_request": the key was used for another one. "in_flight": another transaction has
-- the key and has not ended; nobody waits for it.
--
-- The lock ends with its transaction, so a program that dies in between leaves nothing behind. The row is looked up after the lock was
-- taken, with a snapshot of its own: it is there if the transaction that had the lock before has committed one.
CREATE FUNCTION duework.take_answer(principal text, key text, fingerprint text) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  kept duework.kept_answers;
BEGIN
  -- guard: answer-in-flight
  IF NOT pg_try_advisory_xact_lock(hashtext('duework.kept_answers'), hashtext(take_answer.principal || E'\n' || take_answer.key)) THEN
    RETURN json_build_object('state', 'in_flight');
  END IF;
  -- guard end: answer-in-flight
  SELECT a.* INTO kept FROM duework.kept_answers a
  WHERE a.principal = take_answer.principal AND a.key = take_answer.key AND a.created_at > now() - interval '1 day';
  IF kept.key IS NULL THEN RETURN json_build_object('state', 'free'); END IF;
  -- guard: answer-other-request
  IF kept.fingerprint <> take_answer.fingerprint THEN RETURN json_build_object('state', 'other_request'); END IF;
  -- guard end: answer-other-request
  RETURN json_build_object('state', 'kept', 'status', kept.status, 'headers', kept.headers, 'body', kept.body);
END
$$;

-- Keeps the answer of a request that took its key in this transaction; one that is older than a day gives way.
CREATE FUNCTION duework.keep_answer(principal text, key text, fingerprint text, status integer, headers jsonb, body text) RETURNS void
LANGUAGE sql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO duework.kept_answers AS a (principal, key, fingerprint, status, headers, body)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT kept_answers_pkey DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = now()
$$;

-- Deletes answers that are older than a day, at most `batch`; returns how many.
CREATE FUNCTION duework.retain_answers(batch integer) RETURNS integer
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH gone AS (
    DELETE FROM duework.kept_answers
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.kept_answers WHERE created_at <= now() - interval '1 day' ORDER BY created_at LIMIT batch
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$$;

REVOKE ALL ON FUNCTION duework.take_answer, duework.keep_answer FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100700_answers', '34e0f0087f004b1708f1b7ebec76b4883b553817c6ea0f4295cc93994cad5c36');

-- 20261124100710_payload_differs, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- An enqueue whose key is taken says whether the run that has it has another payload. The functions are those of before, and look the run
-- up with compare_run instead of find_run_status: it is still looked up once.

-- Whether two payloads of one version are different. A value that is encrypted is another text each time: it is left out, and where
-- only one of the two is encrypted, nothing is said.
CREATE FUNCTION duework.payloads_differ(a jsonb, b jsonb) RETURNS boolean
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT a <> b AND (strpos(a::text, '{"$sealed": ') > 0) = (strpos(b::text, '{"$sealed": ') > 0)
    AND regexp_replace(a::text, '\{"\$sealed": "[^"]*"\}', 'null', 'g') <> regexp_replace(b::text, '\{"\$sealed": "[^"]*"\}', 'null', 'g')
$$;

-- Where a run is now, live or finished, and whether its payload is another one than `payload`; nothing where there is no such run. Payloads
-- of different versions are not compared.
CREATE FUNCTION duework.compare_run(
  run_id bigint, version integer, payload jsonb, OUT status text, OUT run_at timestamptz, OUT differs boolean
)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  SELECT r.status, r.run_at, r.job_version = compare_run.version AND duework.payloads_differ(r.payload, compare_run.payload)
  INTO status, run_at, differs
  FROM duework.job_runs r WHERE r.id = run_id;
  IF FOUND THEN RETURN; END IF;
  EXECUTE 'SELECT status, run_at, job_version = $2 AND duework.payloads_differ(payload, $3) FROM duework.job_history_days WHERE id = $1'
  INTO status, run_at, differs USING run_id, compare_run.version, compare_run.payload;
  IF status IS NOT NULL THEN RETURN; END IF;
  SELECT h.status, h.run_at, h.job_version = compare_run.version AND duework.payloads_differ(h.payload, compare_run.payload)
  INTO status, run_at, differs
  FROM (
    SELECT * FROM duework.job_history_dead
    UNION ALL SELECT * FROM duework.job_history_cancelled
    UNION ALL SELECT * FROM duework.job_history_late
  ) h
  WHERE h.id = run_id;
END
$$;

-- Writes one run and takes its key. `at` wins over `delay_ms`. Where `in_transaction` is given and another one runs this, nothing is
-- written. Answers 'left <transaction>' then; '<id> <ms>' for a new run, the second being when it is due; '<id> <ms> <status>' for
-- the run that has the key, and '<id> <ms> <status>,differs' where that one has another payload.
--
-- `wake` is sent as a NOTIFY where the run is new; one with a space in it names a few workers, which the number of the transaction
-- behind it chooses.
--
-- A key that is held is looked up first, which needs no lock, no write and no commit: the same event told a thousand times costs a
-- thousand reads. Where an open transaction has taken the key, this one waits for its end.
CREATE OR REPLACE FUNCTION duework.enqueue_1(
  type text, version integer, queue text, priority smallint, max_attempts integer, payload jsonb,
  at timestamptz, delay_ms double precision, key text, key_window_ms double precision, wake text, in_transaction text,
  meta jsonb DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  new_id bigint;
  holder bigint;
  gone   bigint;
  seen   record;
  due_at timestamptz := coalesce(enqueue_1.at, now() + enqueue_1.delay_ms * interval '1 millisecond');
BEGIN
  IF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction THEN RETURN 'left ' || pg_current_xact_id(); END IF;
  END IF;
  IF enqueue_1.key IS NULL THEN
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
    VALUES (
      enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload, enqueue_1.max_attempts,
      enqueue_1.meta
    )
    RETURNING id INTO new_id;
  ELSE
    LOOP
      SELECT run_id INTO holder FROM duework.job_keys
      WHERE job_type = enqueue_1.type AND key = enqueue_1.key AND (expires_at <= now()) IS NOT TRUE;
      IF holder IS NOT NULL THEN
        -- STABLE, so that it looks with one snapshot: a run that moves between tables meanwhile is never taken for dropped
        SELECT f.status, f.run_at, f.differs INTO seen FROM duework.compare_run(holder, enqueue_1.version, enqueue_1.payload) f;
        IF seen.status IS NOT NULL THEN
          RETURN holder || ' ' || date_part('epoch', seen.run_at) * 1000 || ' ' || seen.status || CASE WHEN seen.differs THEN ',differs' ELSE '' END;
        END IF;
        -- retention has dropped its run: the key is free
        gone := holder;
      END IF;
      new_id := coalesce(new_id, duework.next_run_id());
      -- updates even when nothing changes, because DO NOTHING would not wait for the transaction that holds the key
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      VALUES (enqueue_1.type, enqueue_1.key, new_id, now() + key_window_ms * interval '1 millisecond')
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.expires_at ELSE k.expires_at END
      RETURNING run_id INTO holder;
      EXIT WHEN holder = new_id;
      -- another transaction has just committed it: this one's next look sees its run
    END LOOP;
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts, meta)
    VALUES (
      new_id, enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload, enqueue_1.key,
      enqueue_1.max_attempts, enqueue_1.meta
    );
  END IF;
  IF wake IS NOT NULL THEN
    PERFORM pg_notify('duework_wake', CASE WHEN strpos(wake, ' ') > 0 THEN wake || ' ' || pg_current_xact_id() ELSE wake END);
  END IF;
  RETURN new_id || ' ' || date_part('epoch', due_at) * 1000;
END
$$;

-- Writes many runs, all or none, as enqueue_1 does. What runs have in common is given once, as a kind: `kinds` says which of the
-- `types` (versions, …) is each run's, null: all have the first. Other arrays are null where no run needs one. Sends `wake`
-- where a run is new. `metas`: an array with each run's, or an object that all have. Answers {"left": transaction}, or {"ids": […], "ats": […], "statuses": […], "differs": […]}, a run each: a status is null where the
-- run is new; "ats" is null, and "now" is given, where all are due now.
--
-- Keys are taken in one order by everybody, so that two batches cannot wait for each other.
CREATE OR REPLACE FUNCTION duework.enqueue_many_1(
  types text[], versions integer[], queues text[], priorities smallint[], max_attempts integer[], key_windows_ms double precision[],
  payloads jsonb, kinds integer[], ats timestamptz[], delays_ms double precision[], keys text[], wake text[], in_transaction text,
  metas jsonb DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
-- a batch is joined with itself, and the planner cannot know how large it is
SET enable_nestloop = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  each_meta   jsonb := CASE WHEN jsonb_typeof(metas) = 'array' THEN metas END;
  shared_meta jsonb := CASE WHEN jsonb_typeof(metas) = 'object' THEN metas END;
  held     bigint[];
  gone     bigint[];
  -- of the runs that are answered; null: not yet
  ids      bigint[];
  due_ms   double precision[];
  statuses text[];
  -- the run that has the key has another payload; null: it is new
  differs  boolean[];
BEGIN
  IF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction THEN RETURN json_build_object('left', pg_current_xact_id()::text); END IF;
  END IF;
  IF keys IS NULL THEN
    WITH inserted AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
      SELECT queues[coalesce(x.kind, 1)], types[coalesce(x.kind, 1)], versions[coalesce(x.kind, 1)], priorities[coalesce(x.kind, 1)],
        CASE WHEN x.at IS NOT NULL THEN x.at WHEN x.delay_ms IS NULL THEN now() ELSE now() + x.delay_ms * interval '1 millisecond' END, x.payload, enqueue_many_1.max_attempts[coalesce(x.kind, 1)],
        coalesce(nullif(x.meta, 'null'), shared_meta)
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms), jsonb_array_elements(each_meta)
      ) AS x (payload, kind, at, delay_ms, meta)
      RETURNING id, run_at
    )
    SELECT array_agg(i.id),
      CASE WHEN enqueue_many_1.ats IS NOT NULL OR delays_ms IS NOT NULL THEN array_agg(date_part('epoch', i.run_at) * 1000) END
    INTO ids, due_ms
    FROM inserted i;
    PERFORM pg_notify('duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END)
    FROM unnest(wake) AS w (hint);
    RETURN json_build_object('ids', ids, 'ats', due_ms, 'now', date_part('epoch', now()) * 1000);
  END IF;
  LOOP
    -- no joins, which the planner could turn around
    held := ARRAY(
      SELECT CASE WHEN x.id IS NULL AND x.key IS NOT NULL THEN (
        SELECT k.run_id FROM duework.job_keys k
        WHERE k.job_type = types[coalesce(x.kind, 1)] AND k.key = x.key AND (k.expires_at <= now()) IS NOT TRUE
      ) END
      FROM ROWS FROM (unnest(keys), unnest(kinds), unnest(ids)) WITH ORDINALITY AS x (key, kind, id, position)
      ORDER BY x.position
    );
    IF array_remove(held, NULL) <> '{}' THEN
      SELECT array_agg(CASE WHEN f.status IS NULL THEN x.id ELSE x.run_id END ORDER BY x.position),
        array_agg(coalesce(x.status, f.status) ORDER BY x.position),
        array_agg(coalesce(x.due_ms, date_part('epoch', f.run_at) * 1000) ORDER BY x.position),
        array_agg(coalesce(x.differs, f.differs) ORDER BY x.position),
        array_agg(x.run_id) FILTER (WHERE f.status IS NULL AND x.run_id IS NOT NULL)
      INTO ids, statuses, due_ms, differs, gone
      FROM ROWS FROM (
        unnest(held), unnest(ids), unnest(statuses), unnest(due_ms), unnest(differs), unnest(kinds), jsonb_array_elements(payloads)
      ) WITH ORDINALITY AS x (run_id, id, status, due_ms, differs, kind, payload, position)
      CROSS JOIN LATERAL duework.compare_run(x.run_id, versions[coalesce(x.kind, 1)], x.payload) AS f;
    END IF;
    EXIT WHEN array_position(ids, NULL) IS NULL AND ids IS NOT NULL;
    WITH input AS MATERIALIZED (
      SELECT x.*, coalesce(x.kind, 1) AS of_kind, CASE WHEN x.known_id IS NULL THEN duework.next_run_id() END AS id,
        CASE WHEN x.at IS NOT NULL THEN x.at WHEN x.delay_ms IS NULL THEN now() ELSE now() + x.delay_ms * interval '1 millisecond' END AS run_at
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms), unnest(keys), unnest(ids),
        unnest(statuses), unnest(due_ms), jsonb_array_elements(each_meta)
      ) WITH ORDINALITY AS x (payload, kind, at, delay_ms, key, known_id, status, due_ms, meta, position)
    ),
    taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      SELECT DISTINCT ON (types[i.of_kind], i.key)
        types[i.of_kind], i.key, i.id, now() + key_windows_ms[i.of_kind] * interval '1 millisecond'
      FROM input i
      WHERE i.key IS NOT NULL AND i.known_id IS NULL
      ORDER BY types[i.of_kind], i.key, i.position
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.expires_at ELSE k.expires_at END
      RETURNING run_id
    ),
    written AS MATERIALIZED (
      SELECT i.* FROM input i LEFT JOIN taken t ON t.run_id = i.id WHERE i.known_id IS NULL AND (i.key IS NULL OR t.run_id IS NOT NULL)
    ),
    inserted AS (
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts, meta)
      SELECT i.id, queues[i.of_kind], types[i.of_kind], versions[i.of_kind], priorities[i.of_kind], i.run_at, i.payload, i.key,
        enqueue_many_1.max_attempts[i.of_kind], coalesce(nullif(i.meta, 'null'), shared_meta)
      FROM written i
    )
    SELECT array_agg(coalesce(i.known_id, w.id) ORDER BY i.position),
      array_agg(coalesce(i.due_ms, date_part('epoch', w.run_at) * 1000) ORDER BY i.position),
      array_agg(i.status ORDER BY i.position)
    INTO ids, due_ms, statuses
    FROM input i LEFT JOIN written w ON w.id = i.id;
    -- what is not answered now has an earlier run, in this batch or in a transaction that has just committed: the next look sees it
    EXIT WHEN array_position(ids, NULL) IS NULL;
  END LOOP;
  IF array_position(statuses, NULL) IS NOT NULL THEN
    PERFORM pg_notify('duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END)
    FROM unnest(wake) AS w (hint);
  END IF;
  RETURN json_build_object('ids', ids, 'ats', due_ms, 'statuses', statuses, 'differs', differs);
END
$$;

REVOKE ALL ON FUNCTION duework.compare_run, duework.payloads_differ FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124100710_payload_differs', '02568743b3fae6d1d7e8eccdd44fbcb602e50d47837cd9d67b41c20705a2a933');

-- 20261124110200_closed_functions, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- They run with their owner's rights, and delete from what the application's role may only add to: roles.sql says who calls them.
REVOKE ALL ON FUNCTION duework.retain_audit, duework.retain_bulk_actions, duework.keep_audit FROM PUBLIC;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124110200_closed_functions', '3f0d54d899964931aef20f692fdec2011435356e2ba01ae4bd7fc55122641b67');

-- 20261124110300_slot_runs, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- Which schedule made a job: one entry for each slot that made one.
CREATE INDEX schedule_slots_run_id_idx ON duework.schedule_slots (run_id) WHERE run_id IS NOT NULL;

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124110300_slot_runs', '0e5cb88538b65e394c54c61770b060c2d6b8e2e8fbd51175e23019da948a4b17');

-- 20261124120000_figures_days, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

-- A line for each day, beside those of the minutes and of the hours; and in all three a line for all queues and types together, of queue ''
-- and type '*'. So 90 days are read from 90 lines of each type, and what all did together from one line a step, however many types there are.
CREATE TABLE duework.figures_days (LIKE duework.figures_hours INCLUDING DEFAULTS,
  CONSTRAINT figures_days_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
COMMENT ON TABLE duework.figures_days IS 'Work by queue and type, day by day in UTC, for 90 days';

-- What was counted before. The most that was due in all at one moment of an hour is not known: it is told as what the types had at most.
CREATE AGGREGATE duework.sum_counts (bigint[]) (SFUNC = duework.add_counts, STYPE = bigint[], INITCOND = '{}');
INSERT INTO duework.figures_days
SELECT date_trunc('day', at, 'UTC'), queue, job_type, sum(claimed), sum(succeeded), sum(failed), sum(dead), sum(cancelled), sum(snoozed),
  duework.sum_counts(waited), duework.sum_counts(ran), sum(waited_ms), sum(ran_ms), max(due), max(running), max(oldest_seconds)
FROM duework.figures_hours GROUP BY 1, 2, 3;
DO $$
DECLARE
  unit text;
BEGIN
  FOREACH unit IN ARRAY ARRAY['minutes', 'hours', 'days'] LOOP
    EXECUTE format('
      INSERT INTO duework.figures_%1$s
      SELECT at, '''', ''*'', sum(claimed), sum(succeeded), sum(failed), sum(dead), sum(cancelled), sum(snoozed),
        duework.sum_counts(waited), duework.sum_counts(ran), sum(waited_ms), sum(ran_ms), sum(due), sum(running), max(oldest_seconds)
      FROM duework.figures_%1$s GROUP BY at', unit);
  END LOOP;
END
$$;
DROP AGGREGATE duework.sum_counts (bigint[]);

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124120000_figures_days', 'fc4cbcf54eb80449baab978e564c91af66c4aab62d69b4a76adafcb83b2cc4e1');

-- 20261124120100_shared_budgets, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

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

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124120100_shared_budgets', '6893b6e293f17d858b73c4ef23423cc165b7d7491abe0668a0dff5bc1dba0f7b');

-- 20261124130000_lost_workers, printed by: npx duework migrate sql. It records itself in duework.migrations; do not edit it.

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

INSERT INTO duework.migrations (name, checksum) VALUES ('20261124130000_lost_workers', 'd5e2ff6989f9acccb236d2527a68d91990e9f398b45ccf25e62d1544d142faf3');

-- its rows
INSERT INTO duework.audit_entries OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.audit_entries, '{"at": "2026-11-23T17:26:27.599293+00:00", "by": "program", "id": 1, "via": "program", "kind": "schedule", "verb": "save_schedule", "after": {"cron": "0 4 * * *", "type": "step", "missed": "latest", "source": "code", "overlap": "skip", "splayMs": 0, "version": 1, "isPaused": false, "timeZone": "Europe/Berlin", "missedLimit": 10, "overlapLimit": 10, "payloadFields": ["n"], "sourceVersion": 1, "missedMaxAgeMs": 86400000, "payloadChanged": true, "missedToleranceMs": 300000}, "before": null, "reason": null, "target": "daily", "from_address": null}');
INSERT INTO duework.audit_entries OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.audit_entries, '{"at": "2026-11-23T17:26:27.617699+00:00", "by": "program", "id": 2, "via": "program", "kind": "schedule", "verb": "save_schedule", "after": {"cron": "* * * * *", "type": "step", "missed": "latest", "source": "api", "overlap": "skip", "splayMs": 0, "version": 1, "isPaused": false, "timeZone": "UTC", "missedLimit": 10, "overlapLimit": 10, "payloadFields": ["n"], "missedMaxAgeMs": 86400000, "payloadChanged": true, "missedToleranceMs": 300000}, "before": null, "reason": null, "target": "minutely", "from_address": null}');
INSERT INTO duework.audit_entries OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.audit_entries, '{"at": "2026-11-23T17:26:27.747112+00:00", "by": "somebody", "id": 3, "via": "program", "kind": "job", "verb": "cancel", "after": {"status": "cancelled"}, "before": {"runAt": "2026-11-25T17:26:27.743Z", "status": "queued", "attempts": 0}, "reason": "no longer wanted", "target": "2078000000000009", "from_address": null}');
INSERT INTO duework.figures_days OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_days, '{"at": "2026-11-23T00:00:00+00:00", "due": 1, "ran": [], "dead": 0, "queue": "", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": 0, "snoozed": 0, "job_type": "*", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": 0.045968}');
INSERT INTO duework.figures_days OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_days, '{"at": "2026-11-23T00:00:00+00:00", "due": 1, "ran": [], "dead": 0, "queue": "default", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": 0, "snoozed": 0, "job_type": "step", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": 0.045968}');
INSERT INTO duework.figures_hours OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_hours, '{"at": "2026-11-23T17:00:00+00:00", "due": 1, "ran": [], "dead": 0, "queue": "", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": 0, "snoozed": 0, "job_type": "*", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": 0.045968}');
INSERT INTO duework.figures_hours OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_hours, '{"at": "2026-11-23T17:00:00+00:00", "due": 1, "ran": [], "dead": 0, "queue": "default", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": 0, "snoozed": 0, "job_type": "step", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": 0.045968}');
INSERT INTO duework.figures_minutes OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_minutes, '{"at": "2026-11-23T17:26:00+00:00", "due": 1, "ran": [], "dead": 0, "queue": "", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": 0, "snoozed": 0, "job_type": "*", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": 0.045968}');
INSERT INTO duework.figures_minutes OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_minutes, '{"at": "2026-11-23T17:26:00+00:00", "due": 1, "ran": [], "dead": 0, "queue": "default", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": 0, "snoozed": 0, "job_type": "step", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": 0.045968}');
INSERT INTO duework.figures_minutes OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.figures_minutes, '{"at": "2026-11-23T17:26:00+00:00", "due": null, "ran": [], "dead": 0, "queue": "", "failed": 0, "ran_ms": 0, "waited": [], "claimed": 0, "running": null, "snoozed": 0, "job_type": "", "cancelled": 0, "succeeded": 0, "waited_ms": 0, "oldest_seconds": null}');
INSERT INTO duework.job_attempts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_attempts, '{"fence": 1, "run_id": 2078000000000003, "worker": "released", "attempt": 1, "is_late": false, "outcome": "failed", "job_type": "step", "abort_code": null, "claimed_at": "2026-11-23T17:26:27.70872+00:00", "error_code": "no_such_thing", "error_type": "Buried", "abort_stage": null, "error_stack": null, "finished_at": "2026-11-23T17:26:27.723585+00:00", "error_message": "There is nothing."}');
INSERT INTO duework.job_attempts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_attempts, E'{"fence": 1, "run_id": 2078000000000004, "worker": "released", "attempt": 1, "is_late": false, "outcome": "failed", "job_type": "step", "abort_code": null, "claimed_at": "2026-11-23T17:26:27.715511+00:00", "error_code": "unexpected_error", "error_type": "Error", "abort_stage": null, "error_stack": "Error: not yet\\n    at step (file:///app/tools/dist/src/releases/fill-database.js:21:23)\\n    at CallbackMeter.call (file:///app/packages/queue-core/dist/event-loop/measure-callbacks.js:42:71)\\n    at LoopWatch.call (file:///app/packages/queue-core/dist/event-loop/watch-event-loop.js:62:32)\\n    at callOne (file:///app/packages/queue-core/dist/run/run-attempt.js:99:21)\\n    at callSafely (file:///app/packages/queue-core/dist/run/run-attempt.js:89:36)\\n    at callHandler (file:///app/packages/queue-core/dist/run/run-attempt.js:72:21)\\n    at runAttempt (file:///app/packages/queue-core/dist/run/run-attempt.js:22:5)\\n    at attempt (file:///app/packages/queue-core/dist/run/start-runs.js:45:5)\\n    at startRun (file:///app/packages/queue-core/dist/run/start-runs.js:20:9)\\n    at startRuns (file:///app/packages/queue-core/dist/run/start-runs.js:12:9)", "finished_at": "2026-11-23T17:26:27.7298+00:00", "error_message": "not yet"}');
INSERT INTO duework.job_contracts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_contracts, '{"type": "keyed", "version": 1, "checksum": "d8ce1e9b427f9b0934e4e22e12a88b6095e0c416e4500f2d5cd8de3999963c5c", "first_seen_at": "2026-11-23T17:26:27.645577+00:00", "payload_schema": {"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9007199254740991, "minimum": -9007199254740991}}}}');
INSERT INTO duework.job_contracts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_contracts, '{"type": "step", "version": 1, "checksum": "d8ce1e9b427f9b0934e4e22e12a88b6095e0c416e4500f2d5cd8de3999963c5c", "first_seen_at": "2026-11-23T17:26:27.645577+00:00", "payload_schema": {"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9007199254740991, "minimum": -9007199254740991}}}}');
INSERT INTO duework.job_definitions OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_definitions, '{"type": "keyed", "queue": "default", "retry": {"kind": "fixed", "delayMs": 1}, "has_key": true, "version": 1, "lease_ms": 1000, "priority": 5, "sensitive": [], "created_at": "2026-11-23T17:26:27.642916+00:00", "timeout_ms": 60000, "updated_at": "2026-11-23T17:26:27.642916+00:00", "max_attempts": 10, "key_window_ms": null, "oldest_version": 1, "payload_schema": {"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9007199254740991, "minimum": -9007199254740991}}}, "default_payload": null, "sensitive_result": [], "requires_encryption": false}');
INSERT INTO duework.job_definitions OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_definitions, '{"type": "step", "queue": "default", "retry": {"kind": "fixed", "delayMs": 3600000}, "has_key": false, "version": 1, "lease_ms": 30000, "priority": 5, "sensitive": [], "created_at": "2026-11-23T17:26:27.642916+00:00", "timeout_ms": 60000, "updated_at": "2026-11-23T17:26:27.642916+00:00", "max_attempts": 3, "key_window_ms": null, "oldest_version": 1, "payload_schema": {"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9007199254740991, "minimum": -9007199254740991}}}, "default_payload": null, "sensitive_result": [], "requires_encryption": false}');
INSERT INTO duework.job_effects OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_effects, '{"name": "mail", "fence": 1, "result": null, "run_id": 2078000000000007, "status": "done", "done_at": "2026-11-23T17:26:27.750763+00:00", "run_key": "keyed:1", "job_type": "keyed", "needed_at": "2026-11-23T17:26:27.744618+00:00", "started_at": "2026-11-23T17:26:27.744618+00:00"}');
INSERT INTO duework.job_history OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_history, '{"id": 2078000000000001, "meta": null, "fence": 1, "queue": "default", "result": {"n": 6}, "run_at": "2026-11-23T17:26:27.628778+00:00", "status": "succeeded", "worker": "released", "is_late": false, "payload": {"n": 6}, "snoozes": 0, "attempts": 1, "job_type": "step", "priority": 5, "failed_at": null, "is_newest": true, "claimed_at": "2026-11-23T17:26:27.692547+00:00", "created_at": "2026-11-23T17:26:27.628778+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": null, "finished_at": "2026-11-23T17:26:27.701372+00:00", "job_version": 1, "max_attempts": 3, "cancel_reason": null, "acknowledged_at": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_history OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_history, '{"id": 2078000000000002, "meta": null, "fence": 1, "queue": "default", "result": {"n": 1}, "run_at": "2026-11-23T17:26:27.696789+00:00", "status": "succeeded", "worker": "released", "is_late": false, "payload": {"n": 1}, "snoozes": 0, "attempts": 1, "job_type": "step", "priority": 5, "failed_at": null, "is_newest": true, "claimed_at": "2026-11-23T17:26:27.700485+00:00", "created_at": "2026-11-23T17:26:27.696789+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": null, "finished_at": "2026-11-23T17:26:27.713366+00:00", "job_version": 1, "max_attempts": 3, "cancel_reason": null, "acknowledged_at": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_history OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_history, '{"id": 2078000000000003, "meta": null, "fence": 1, "queue": "default", "result": null, "run_at": "2026-11-23T17:26:27.707714+00:00", "status": "dead", "worker": "released", "is_late": false, "payload": {"n": 2}, "snoozes": 0, "attempts": 1, "job_type": "step", "priority": 5, "failed_at": "2026-11-23T17:26:27.723585+00:00", "is_newest": true, "claimed_at": "2026-11-23T17:26:27.70872+00:00", "created_at": "2026-11-23T17:26:27.707714+00:00", "error_code": "no_such_thing", "error_type": "Buried", "last_error": "There is nothing.", "snoozed_at": null, "finished_at": "2026-11-23T17:26:27.723585+00:00", "job_version": 1, "max_attempts": 3, "cancel_reason": null, "acknowledged_at": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_history OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_history, '{"id": 2078000000000007, "meta": null, "fence": 1, "queue": "default", "result": null, "run_at": "2026-11-23T17:26:27.73545+00:00", "status": "succeeded", "worker": "released", "is_late": false, "payload": {"n": 1}, "snoozes": 0, "attempts": 1, "job_type": "keyed", "priority": 5, "failed_at": null, "is_newest": true, "claimed_at": "2026-11-23T17:26:27.740806+00:00", "created_at": "2026-11-23T17:26:27.73545+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": null, "finished_at": "2026-11-23T17:26:27.752036+00:00", "job_version": 1, "max_attempts": 10, "cancel_reason": null, "acknowledged_at": null, "idempotency_key": "keyed:1", "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_history OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_history, '{"id": 2078000000000009, "meta": null, "fence": 0, "queue": "default", "result": null, "run_at": "2026-11-25T17:26:27.743135+00:00", "status": "cancelled", "worker": null, "is_late": false, "payload": {"n": 6}, "snoozes": 0, "attempts": 0, "job_type": "step", "priority": 5, "failed_at": null, "is_newest": true, "claimed_at": null, "created_at": "2026-11-23T17:26:27.743135+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": null, "finished_at": "2026-11-23T17:26:27.747112+00:00", "job_version": 1, "max_attempts": 3, "cancel_reason": "no longer wanted", "acknowledged_at": null, "idempotency_key": null, "cancel_requested_at": "2026-11-23T17:26:27.747112+00:00", "cancel_requested_by": "somebody"}');
INSERT INTO duework.job_keys OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_keys, '{"key": "keyed:1", "run_id": 2078000000000007, "job_type": "keyed", "needed_at": "2026-11-23T17:26:27.73545+00:00", "created_at": "2026-11-23T17:26:27.73545+00:00", "expires_at": null}');
INSERT INTO duework.job_runs OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_runs, '{"id": 2078000000000004, "meta": null, "fence": 1, "queue": "default", "run_at": "2026-11-23T18:33:36.8398+00:00", "status": "failed", "payload": {"n": 3}, "snoozes": 0, "attempts": 1, "job_type": "step", "priority": 5, "progress": null, "failed_at": "2026-11-23T17:26:27.7298+00:00", "locked_by": null, "claimed_at": "2026-11-23T17:26:27.715511+00:00", "created_at": "2026-11-23T17:26:27.715177+00:00", "error_code": "unexpected_error", "error_type": "Error", "last_error": "not yet", "snoozed_at": null, "job_version": 1, "locked_until": null, "max_attempts": 3, "cancel_reason": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_runs OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_runs, '{"id": 2078000000000005, "meta": null, "fence": 1, "queue": "default", "run_at": "2026-11-25T18:05:45.684078+00:00", "status": "queued", "payload": {"n": 4}, "snoozes": 1, "attempts": 0, "job_type": "step", "priority": 5, "progress": null, "failed_at": null, "locked_by": null, "claimed_at": "2026-11-23T17:26:27.732991+00:00", "created_at": "2026-11-23T17:26:27.722481+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": "2026-11-23T17:26:27.740078+00:00", "job_version": 1, "locked_until": null, "max_attempts": 3, "cancel_reason": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_runs OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_runs, '{"id": 2078000000000006, "meta": null, "fence": 1, "queue": "default", "run_at": "2026-11-23T17:26:27.727345+00:00", "status": "running", "payload": {"n": 5}, "snoozes": 0, "attempts": 1, "job_type": "step", "priority": 5, "progress": null, "failed_at": null, "locked_by": "released", "claimed_at": "2026-11-23T17:26:27.732991+00:00", "created_at": "2026-11-23T17:26:27.727345+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": null, "job_version": 1, "locked_until": "2026-11-23T17:26:57.732991+00:00", "max_attempts": 3, "cancel_reason": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.job_runs OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.job_runs, '{"id": 2078000000000008, "meta": null, "fence": 0, "queue": "default", "run_at": "2026-11-25T17:26:27.742228+00:00", "status": "queued", "payload": {"n": 6}, "snoozes": 0, "attempts": 0, "job_type": "step", "priority": 5, "progress": null, "failed_at": null, "locked_by": null, "claimed_at": null, "created_at": "2026-11-23T17:26:27.742228+00:00", "error_code": null, "error_type": null, "last_error": null, "snoozed_at": null, "job_version": 1, "locked_until": null, "max_attempts": 3, "cancel_reason": null, "idempotency_key": null, "cancel_requested_at": null, "cancel_requested_by": null}');
INSERT INTO duework.schedule_lists OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.schedule_lists, '{"id": 1, "version": 1}');
INSERT INTO duework.schedule_slots OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.schedule_slots, '{"due_at": "2026-11-23T17:26:00+00:00", "reason": null, "run_id": 2078000000000001, "late_ms": 27629, "outcome": "fired", "slot_at": "2026-11-23T17:26:00+00:00", "job_type": "step", "decided_at": "2026-11-23T17:26:27.628778+00:00", "schedule_id": 2, "schedule_key": "minutely"}');
INSERT INTO duework.schedules OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.schedules, '{"at": null, "id": 1, "key": "daily", "cron": "0 4 * * *", "missed": "latest", "source": "code", "ends_at": null, "overlap": "skip", "payload": {"n": 6}, "run_ids": [], "tick_at": "2026-11-24T03:00:00+00:00", "every_ms": null, "job_type": "step", "splay_ms": 0, "is_paused": false, "paused_at": null, "paused_by": null, "starts_at": null, "time_zone": "Europe/Berlin", "created_at": "2026-11-23T17:26:27.599293+00:00", "updated_at": "2026-11-23T17:26:27.599293+00:00", "job_version": 1, "last_run_id": null, "missed_limit": 10, "next_slot_at": "2026-11-24T03:00:00+00:00", "pause_reason": null, "paused_until": null, "overlap_limit": 10, "source_version": 1, "splay_offset_ms": 0, "missed_max_age_ms": 86400000, "missed_tolerance_ms": 300000}');
INSERT INTO duework.schedules OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.schedules, '{"at": null, "id": 2, "key": "minutely", "cron": "* * * * *", "missed": "latest", "source": "api", "ends_at": null, "overlap": "skip", "payload": {"n": 6}, "run_ids": [2078000000000001], "tick_at": "2026-11-23T17:27:00+00:00", "every_ms": null, "job_type": "step", "splay_ms": 0, "is_paused": false, "paused_at": null, "paused_by": null, "starts_at": null, "time_zone": "UTC", "created_at": "2026-11-23T17:26:27.617699+00:00", "updated_at": "2026-11-23T17:26:27.617699+00:00", "job_version": 1, "last_run_id": 2078000000000001, "missed_limit": 10, "next_slot_at": "2026-11-23T17:27:00+00:00", "pause_reason": null, "paused_until": null, "overlap_limit": 10, "source_version": null, "splay_offset_ms": 0, "missed_max_age_ms": 86400000, "missed_tolerance_ms": 300000}');
INSERT INTO duework.worker_contracts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.worker_contracts, '{"pid": 29926, "host": "vm", "slots": 10, "queues": ["default"], "worker": "released", "running": 0, "seen_at": "2026-11-23T17:26:27.671861+00:00", "shut_by": null, "buffered": 0, "contracts": {"step": [1, 1], "keyed": [1, 1]}, "started_at": "2026-11-23T17:26:27.671861+00:00", "code_version": null, "loop_delay_ms": 0}');
INSERT INTO duework.xid_samples OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::duework.xid_samples, '{"xid": "790", "seen_at": "2026-11-23T17:26:27.695229+00:00"}');
SELECT setval('duework.audit_entries_id_seq', 3, true);
SELECT setval('duework.bulk_actions_id_seq', 1, false);
SELECT setval('duework.job_runs_id_seq', 9, true);
SELECT setval('duework.schedules_id_seq', 2, true);

-- The queue: what should run (job_runs), what ran (job_history, job_attempts), and what happens once (job_keys,
-- job_effects).
--
-- job_runs holds live rows only. The statement that settles a run moves it to job_history, which is partitioned by
-- status, and what has succeeded by the day that its id carries. So every hot index stays as small as the live work,
-- a run is found by its id in one partition however many days are kept, retention drops whole days of what there is
-- much of, and what is dead can be kept for longer, listed and deleted by itself.
--
-- There are no foreign keys: they would lock rows of hot tables (multixacts) and tie retention to row deletes.

-- not IF NOT EXISTS, which asks for the right to make schemas even where this one was made before
DO $$ BEGIN
  IF to_regnamespace('duework') IS NULL THEN CREATE SCHEMA duework; END IF;
END $$;

-- Which migrations were applied: each records itself, by its own last statement, whatever tool runs it.
CREATE TABLE duework.migrations (
  name       text COLLATE "C" NOT NULL,
  -- of the text that was released, so that a changed one is found out
  checksum   text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

-- ── Ids ──

-- An id carries the UTC day on which its run was created: days since 1970, times 100,000,000,000, plus a number of
-- the sequence, which starts anew when it has counted so far. Ids stay below 2^53, which JavaScript's numbers hold,
-- until the year 2216.
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

-- The id of a run that is written now.
CREATE FUNCTION duework.next_run_id() RETURNS bigint
LANGUAGE sql
AS $$ SELECT duework.first_id_today(0) + nextval('duework.job_runs_id_seq') $$;

-- ── Notifications ──

-- A notification is a hint, and never fails the transaction that sends it: none is sent where the server's queue of
-- them is half full, since a commit fails once it is full; nor where the caller wants none, because PREPARE
-- TRANSACTION refuses them: SET LOCAL duework.notify = off. Workers find by polling what they were not told of.
CREATE FUNCTION duework.notify(channel text, hint text) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  sent text;
BEGIN
  IF current_setting('duework.notify', true) = 'off' OR pg_notification_queue_usage() > 0.5 THEN RETURN; END IF;
  -- an assignment, because PERFORM would plan and run a statement of its own
  sent := pg_notify(channel, hint)::text;
END
$$;

-- ── Live runs ──

CREATE TABLE duework.job_runs (
  id                  bigint      NOT NULL DEFAULT duework.next_run_id(),
  queue               text COLLATE "C" NOT NULL,
  job_type            text COLLATE "C" NOT NULL,
  job_version         integer     NOT NULL,
  status              text        NOT NULL DEFAULT 'queued',
  priority            smallint    NOT NULL,
  run_at              timestamptz NOT NULL,
  payload             jsonb       NOT NULL,
  idempotency_key     text COLLATE "C",
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
  -- how often its handler asked for later, and when it last did: all that stays of a snooze, because a row for each
  -- would be a thousand rows for a run that nothing is wrong with
  snoozes             integer     NOT NULL DEFAULT 0,
  snoozed_at          timestamptz,
  -- what its producer's tracing wants to find again beside the payload: an object of texts
  meta                jsonb,
  -- how often a worker that stopped has given it back while its handler ran; null: never, which takes no room
  releases            integer,
  -- the key of a flow rule (a limit, a rate, an order …) at which it waits to be let in; null: it may be claimed when it
  -- is due
  held_by             text,
  -- every key that must have room before it is let in, in the order in which they are asked; null: none
  gates               text[],
  -- how much it takes of each of its gates; null: 1 of each
  gate_units          integer[],
  -- what only few runs have, such as {"expiresAt": …}; the claim gives it to the worker
  terms               jsonb,
  CONSTRAINT job_runs_pkey PRIMARY KEY (id),
  CONSTRAINT job_runs_priority_check CHECK (priority BETWEEN 0 AND 9),
  -- One for all states, because every statement that writes reads the text of its constraints anew: seven of them
  -- were 30 of the 75 µs of an enqueue of one.
  CONSTRAINT job_runs_state_check CHECK (
    CASE WHEN status = 'running'
      -- A run has a lease exactly while it is running, and only then it can be asked to stop.
      THEN attempts >= 1 AND attempts <= max_attempts AND fence >= 1 AND (locked_by, locked_until, claimed_at) IS NOT NULL
        AND held_by IS NULL
      -- One that waits has an attempt left to spend; a failed one says what failed and when.
      ELSE attempts >= 0 AND attempts <= max_attempts - 1 AND fence >= 0
        AND (locked_by, locked_until, cancel_requested_at) IS NULL
        AND (status = 'queued' OR (status = 'failed' AND (failed_at, error_code, last_error) IS NOT NULL))
    END
  )
) WITH (
  -- More than half of each page is for the versions that claims make of its rows. Nothing that a claim writes is in
  -- an index, or in the condition of one, so that no index gets an entry for them (HOT): a sixth of what a drain
  -- costs the server.
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

-- claim-runs: due work of one queue and priority, oldest first. running_runs: what was claimed, which is the oldest.
-- All states, and no index of leases, because a column that claims write would cost an entry in every index. What is
-- held stands in line elsewhere (flow_waits), so that no claim walks over it: every statement that is to follow this
-- index says held_by IS NULL. Claims leave held_by as it is.
CREATE INDEX job_runs_claim_idx ON duework.job_runs (queue, priority, run_at, id) WHERE held_by IS NULL;
-- walk_jobs: what waits for a retry, newest first. Claims leave failed_at as it is, so that they write nothing here
-- either.
CREATE INDEX job_runs_failed_idx ON duework.job_runs (id) WHERE failed_at IS NOT NULL;

-- The live runs that were given back while they ran, of which there are few: an index of them on job_runs would cost
-- every statement that is planned a page. raise_alerts forgets those that have ended.
CREATE TABLE duework.released_runs (
  run_id bigint NOT NULL,
  CONSTRAINT released_runs_pkey PRIMARY KEY (run_id)
);

-- ── Finished runs and their attempts ──

CREATE TABLE duework.job_history (
  id                  bigint      NOT NULL,
  queue               text COLLATE "C" NOT NULL,
  job_type            text COLLATE "C" NOT NULL,
  job_version         integer     NOT NULL,
  status              text        NOT NULL,
  priority            smallint    NOT NULL,
  run_at              timestamptz NOT NULL,
  payload             jsonb       NOT NULL,
  idempotency_key     text COLLATE "C",
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
  -- False where others of its type succeeded in the same statement, and one of them stands for all in last_runs: an
  -- index entry for each of them would be a tenth of what settling costs.
  is_newest           boolean     NOT NULL DEFAULT true,
  snoozes             integer     NOT NULL DEFAULT 0,
  snoozed_at          timestamptz,
  -- somebody has looked at a dead run and left it dead; who retries one takes it from here
  acknowledged_at     timestamptz,
  -- it succeeded later than on the day after the one that its id carries
  is_late             boolean     NOT NULL DEFAULT false,
  meta                jsonb,
  releases            integer,
  -- kept, so that a retry stands in line again
  gates               text[],
  gate_units          integer[],
  terms               jsonb,
  -- what its handler reported last
  progress            jsonb,
  -- The transaction in which it ended, for read_ended. Null where is_newest is false: then its id is among those of the
  -- one that is, so that the index has one entry for all of them, too.
  ended_in            xid8        DEFAULT pg_current_xact_id(),
  -- the ids of those of its type that succeeded in the same statement, its own among them; null: only it
  ended_with          bigint[],
  CONSTRAINT job_history_state_check CHECK (
    CASE status
      WHEN 'succeeded' THEN attempts >= 1 AND (worker, claimed_at) IS NOT NULL
      WHEN 'dead' THEN (failed_at, error_code, last_error) IS NOT NULL
      WHEN 'cancelled' THEN cancel_requested_at IS NOT NULL
      ELSE false
    END
  )
) PARTITION BY LIST (status);

-- Nearly all runs: by the day that their id carries. They finished on that day or on the next one, so that a day can
-- be dropped whole, and its rows are not kept for much longer than others. No key of the parent, which would have to
-- name the status in every entry.
CREATE TABLE duework.job_history_succeeded PARTITION OF duework.job_history FOR VALUES IN ('succeeded')
  PARTITION BY LIST (is_late);
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
-- read_ended: what has ended, in the order of the transactions that wrote it.
CREATE INDEX job_history_ended_idx ON duework.job_history (ended_in, id) WHERE ended_in IS NOT NULL;
-- prune_rows: the oldest. Alerts: who died within the hour.
CREATE INDEX job_history_dead_finished_at_idx ON duework.job_history_dead (finished_at);
CREATE INDEX job_history_cancelled_finished_at_idx ON duework.job_history_cancelled (finished_at);
CREATE INDEX job_history_late_finished_at_idx ON duework.job_history_late (finished_at);
-- prune_rows: the oldest of a type that has times of its own, each of them, unlike last_runs.
CREATE INDEX job_history_late_type_idx ON duework.job_history_late (job_type, finished_at);
-- raise_alerts: dead runs that go before anybody has looked at them.
CREATE INDEX job_history_dead_unseen_idx ON duework.job_history_dead (finished_at) WHERE acknowledged_at IS NULL;

-- Every attempt that failed or was interrupted, and those that succeeded whose contract
-- keeps them. The last attempt of a run stands on the run itself too.
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
  -- what its handler logged last
  logs          text,
  -- why the handler was told to stop, and how far that had to go: it ended on its signal, its thread was killed after
  -- the grace, or it was left running with its lease revoked
  abort_code    text,
  abort_stage   text,
  -- it ended later than on the day after the one that its run's id carries
  is_late       boolean     NOT NULL DEFAULT false,
  CONSTRAINT job_attempts_outcome_check CHECK (outcome IN ('failed', 'lost', 'interrupted', 'cancelled', 'succeeded')),
  CONSTRAINT job_attempts_error_check CHECK (outcome IN ('interrupted', 'cancelled', 'succeeded')
    OR error_code IS NOT NULL),
  CONSTRAINT job_attempts_stack_check CHECK (char_length(error_stack) <= 8192),
  CONSTRAINT job_attempts_logs_check CHECK (char_length(logs) <= 8192),
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
-- When an error began, and its newest attempts: by the first line of its message without what differs from job to job
-- (addresses, and words with a digit). The expression is errorKind of operate's find-failures.ts.
CREATE INDEX job_attempts_error_idx ON duework.job_attempts (job_type COLLATE "C", error_code COLLATE "C", hashtextextended(regexp_replace(
  split_part(left(error_message COLLATE "C", 200), E'\n', 1),
  '[[:alnum:]._%+-]+@[[:alnum:]-]+([.][[:alnum:]-]+)+|[[:alnum:]_]*[[:digit:]][[:alnum:]_]*', '0', 'g'
), 0), finished_at) WHERE error_code IS NOT NULL;
-- check_effects: what a type has tried between two moments
CREATE INDEX job_attempts_type_idx ON duework.job_attempts (job_type COLLATE "C", finished_at);

-- ── What happens once ──

-- One business event, one run. A table of its own, because a unique constraint cannot span the partitions of the
-- history, and because only runs with a key should pay for it.
CREATE TABLE duework.job_keys (
  job_type   text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
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
-- prune_with_runs: keys whose run may be gone. prune_expired_keys: keys whose window is over.
CREATE INDEX job_keys_needed_at_idx ON duework.job_keys (needed_at);
CREATE INDEX job_keys_expired_idx ON duework.job_keys (expires_at) WHERE expires_at IS NOT NULL;

-- What left the system, so that it happens once: a row is written before the effect and completed after it. `run_key`
-- is the run's business key, so that a second run for the same event finds it.
CREATE TABLE duework.job_effects (
  job_type   text COLLATE "C" NOT NULL,
  run_key    text COLLATE "C" NOT NULL,
  name       text COLLATE "C" NOT NULL,
  -- started: it may have happened; done: it has; unknown: a worker died in between, and a person has to look; approved:
  -- somebody has, and wants it done again; undone: the handler says that it certainly did not happen
  status     text        NOT NULL DEFAULT 'started',
  run_id     bigint      NOT NULL,
  fence      bigint      NOT NULL,
  result     jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  done_at    timestamptz,
  -- as in job_keys
  needed_at  timestamptz NOT NULL DEFAULT now(),
  -- how often it was begun again after a try that may have happened; and how often a try certainly did not happen
  repeats    integer     NOT NULL DEFAULT 0,
  undone     integer     NOT NULL DEFAULT 0,
  CONSTRAINT job_effects_pkey PRIMARY KEY (job_type, run_key, name),
  CONSTRAINT job_effects_status_check CHECK (status IN ('started', 'done', 'unknown', 'approved', 'undone')),
  CONSTRAINT job_effects_done_check CHECK ((status = 'done') = (done_at IS NOT NULL))
) WITH (
  -- each row is written twice, begun and done; the second time in its own page, with no index touched
  fillfactor = 90,
  -- as for job_keys
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
-- prune_with_runs: effects whose run may be gone.
CREATE INDEX job_effects_needed_at_idx ON duework.job_effects (needed_at);
-- retry_run: the effects of a run that nobody knows about. Not only those: an index that names the status would make
-- every effect's end write all indexes
CREATE INDEX job_effects_run_id_idx ON duework.job_effects (run_id);
-- check_effects: what a type has begun between two moments
CREATE INDEX job_effects_started_at_idx ON duework.job_effects (job_type, started_at);

-- ── Reading runs, wherever they are ──

-- Live and finished runs in one shape, one status column.
CREATE VIEW duework.live_jobs AS
  SELECT id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts,
    fence, locked_by AS worker, locked_until, claimed_at, failed_at, error_code, error_type, last_error,
    cancel_requested_at, cancel_requested_by, cancel_reason, progress, NULL::jsonb AS result, created_at,
    NULL::timestamptz AS finished_at, snoozes, snoozed_at, NULL::timestamptz AS acknowledged_at, meta,
    coalesce(releases, 0) AS releases, held_by, gates, gate_units, terms
  FROM duework.job_runs;
COMMENT ON VIEW duework.live_jobs IS 'Runs that wait or run';
CREATE VIEW duework.finished_jobs AS
  SELECT id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts,
    fence, worker, NULL::timestamptz AS locked_until, claimed_at, failed_at, error_code, error_type, last_error,
    cancel_requested_at, cancel_requested_by, cancel_reason, progress, result, created_at, finished_at,
    snoozes, snoozed_at, acknowledged_at, meta, coalesce(releases, 0) AS releases, NULL::text AS held_by, gates,
    gate_units, terms
  FROM duework.job_history;
COMMENT ON VIEW duework.finished_jobs IS 'Runs that are over';
CREATE VIEW duework.jobs AS SELECT * FROM duework.live_jobs UNION ALL SELECT * FROM duework.finished_jobs;
COMMENT ON VIEW duework.jobs IS 'Live and finished runs as one table';

-- One run. The statements name the day's partition only when they run, so that no plan covers all of them, and no
-- other one is opened.
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

-- What became of a run; no status: there is none. As find_job.
CREATE FUNCTION duework.find_run_status(run_id bigint, OUT status text, OUT run_at timestamptz,
  OUT finished_at timestamptz)
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

-- ── Partitions ──
--
-- A worker makes and drops daily partitions, which takes their owner's rights: ensure_partitions and prune run as
-- their owner, so that the application's role needs no right to change the tables.

-- Makes the daily partitions up to `days_ahead` days from now, from today, or from `days_back` days before it, and
-- returns how many it made. Any number of workers may call it at once. Rows that reached the default partition before
-- their day had one are moved into it.
CREATE FUNCTION duework.make_partitions(days_ahead integer, days_back integer DEFAULT 0) RETURNS integer
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
    FROM (VALUES ('job_history_days', 'job_history_succeeded', 'id'), ('job_attempts_days', 'job_attempts', 'run_id'))
      AS p (days, name, id)
  LOOP
    FOR i IN -days_back..days_ahead LOOP
      day := duework.day_of_id(duework.first_id_today(i));
      name := parent.name || '_' || to_char(day, 'YYYYMMDD');
      CONTINUE WHEN to_regclass('duework.' || name) IS NOT NULL;
      -- Nobody may add a row to the default partition between the move and the attachment.
      EXECUTE format('LOCK TABLE duework.%I IN ACCESS EXCLUSIVE MODE', parent.days || '_default');
      -- Rows are added for two days, hardly any is changed, and all of them go at once. Each page is frozen while it
      -- is still in the cache, so that no vacuum against wraparound has to read the history; statistics, which no
      -- statement here depends on, are taken when a partition has doubled, because ANALYZE holds a snapshot.
      EXECUTE format(
        'CREATE TABLE duework.%I (LIKE duework.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (
           autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
           autovacuum_freeze_min_age = 0,
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

-- Gives every daily partition the rights that were granted on the table that it is part of: some statements name a
-- partition.
CREATE FUNCTION duework.share_rights() RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  given text;
BEGIN
  FOR given IN
    SELECT format('GRANT %s%s ON duework.%I TO %s', held.privilege, coalesce(' (' || quote_ident(held.col) || ')', ''),
      part.relname,
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

-- What workers call: make_partitions, whose new tables get the rights of those that they are part of.
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

REVOKE ALL ON FUNCTION duework.make_partitions, duework.ensure_partitions, duework.share_rights FROM PUBLIC;

-- How long to wait after the n-th failed attempt, in milliseconds: computeBackoff of the engine, for whoever gives
-- back a run whose contract it may not know. `random` is from 0 to 1. A rule that is null is the one that contracts
-- have unless they say.
CREATE FUNCTION duework.backoff_ms(rule jsonb, attempt integer, random double precision) RETURNS double precision
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT least(315360000000, greatest(1, floor(0.5 + (0.8 + 0.4 * random) * CASE r.rule ->> 'kind'
    WHEN 'fixed' THEN (r.rule ->> 'delayMs')::float8
    WHEN 'exponential' THEN CASE
      -- longer than any cap, and perhaps than any number
      WHEN (attempt - 1) * ln((r.rule ->> 'factor')::float8) > 50 THEN (r.rule ->> 'capMs')::float8
      ELSE least((r.rule ->> 'capMs')::float8,
        (r.rule ->> 'baseMs')::float8 * power((r.rule ->> 'factor')::float8, attempt - 1))
    END
    WHEN 'quadratic' THEN least((r.rule ->> 'capMs')::float8, (r.rule ->> 'unitMs')::float8 * attempt::float8 ^ 2)
    WHEN 'delays' THEN (r.rule -> 'delaysMs' ->> least(attempt, jsonb_array_length(r.rule -> 'delaysMs')) - 1)::float8
  END)))
  FROM (SELECT coalesce(rule, '{"kind": "exponential", "baseMs": 10000, "factor": 2, "capMs": 21600000}')) AS r (rule)
$$;

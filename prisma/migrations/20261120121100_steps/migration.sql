-- What handlers have done, so that another attempt of their run goes on behind it.

-- A step of a run: written when it has ended, with its result, and never changed: of two claims that have done the same
-- step the first one's row stays. What a run waits for is a step, too, which is there from the moment at which it waits,
-- and ends once. The rows of live runs are kept; those of finished ones go with their history.
CREATE TABLE duework.job_steps (
  run_id    bigint      NOT NULL,
  name      text COLLATE "C" NOT NULL,
  -- that of the run, so that operators count by it; null: it was not said
  job_type  text COLLATE "C",
  -- failed: it threw, its handler caught that and went on, so that it throws the same in each attempt that follows
  -- arrived: a wait has been ended, and no attempt has seen that yet: the first one that does puts it behind what it knows
  status    text        NOT NULL DEFAULT 'done',
  -- of one that waits: when it ends by itself, and else what ends it: 'signal' with 'name key', 'job' with an id, 'child' with
  -- that of a job that the run has enqueued for this
  wakes_at  timestamptz,
  awaits    text COLLATE "C",
  awaited   text COLLATE "C",
  -- its name without the number that it has in a loop, while its run is live
  at        text COLLATE "C",
  -- counted per run: when it was first asked for, and when it ended. Attempts that follow get the results in that order
  asked_seq integer     NOT NULL,
  done_seq  integer,
  -- those that had been asked for, and had not ended, when it ended
  open      text[]      NOT NULL DEFAULT '{}',
  result    jsonb,
  -- {code, type, message} of what a failed one threw, or of a wait that an operator has failed
  error     jsonb,
  fence     bigint      NOT NULL,
  -- when the attempt that has ended it asked for it; of a wait, when its run began to wait
  began_at  timestamptz NOT NULL DEFAULT now(),
  done_at   timestamptz NOT NULL DEFAULT now(),
  -- as in job_keys
  needed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_steps_pkey PRIMARY KEY (run_id, name),
  CONSTRAINT job_steps_status_check CHECK (status IN ('waiting', 'arrived', 'done', 'failed')),
  CONSTRAINT job_steps_done_seq_check CHECK ((status IN ('waiting', 'arrived')) = (done_seq IS NULL)),
  CONSTRAINT job_steps_awaits_check CHECK (awaits IN ('signal', 'job', 'child') AND awaited IS NOT NULL OR awaits IS NULL AND awaited IS NULL),
  CONSTRAINT job_steps_error_check CHECK (CASE status WHEN 'failed' THEN error IS NOT NULL WHEN 'arrived' THEN true ELSE error IS NULL END)
) WITH (
  -- prune_with_runs changes needed_at of what is still needed
  fillfactor = 90,
  -- as for job_keys
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
COMMENT ON TABLE duework.job_steps IS 'What the handlers of runs have done, with its results';
-- prune_with_runs: steps whose run may be gone.
CREATE INDEX job_steps_needed_at_idx ON duework.job_steps (needed_at);
-- Whoever ends a wait: which steps wait for it, the first that began to wait first.
CREATE INDEX job_steps_awaited_idx ON duework.job_steps (awaits, awaited, done_at) WHERE status = 'waiting' AND awaits IS NOT NULL;
-- Retention: the children of a day. One that is older than its parent was another's before.
CREATE INDEX job_steps_children_idx ON duework.job_steps ((awaited::bigint)) WHERE awaits = 'child' AND run_id < awaited::bigint;

-- Operators: at which steps live runs wait, and who began last. run_id: a count reads the index alone.
CREATE INDEX job_steps_at_idx ON duework.job_steps (job_type, at, began_at, run_id) WHERE status = 'waiting' AND at IS NOT NULL;
-- Operators: what a type has done last, for how long it takes.
CREATE INDEX job_steps_ended_idx ON duework.job_steps (job_type, done_at) WHERE status <> 'waiting';
-- Operators: which runs have gone on behind a failed step, and what a graph undoes.
CREATE INDEX job_steps_undone_idx ON duework.job_steps (job_type, done_at) WHERE status = 'failed' OR name LIKE 'undo %';

-- Signals for which nobody waits yet.
CREATE TABLE duework.job_signals (
  id      bigint      GENERATED ALWAYS AS IDENTITY,
  -- 'name key'
  awaited text COLLATE "C" NOT NULL,
  payload jsonb       NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_signals_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE duework.job_signals IS 'Signals that no run has received yet';
CREATE INDEX job_signals_awaited_idx ON duework.job_signals (awaited, id);
-- What is too old to be waited for.
CREATE INDEX job_signals_sent_at_idx ON duework.job_signals (sent_at);

-- Makes a run due that waits, and has one that runs look again before it waits: under the lock of its row, so that no wait that
-- has ended is overlooked. Both marks name their claim, so that an old one means nothing. Returns whether the run is live.
CREATE FUNCTION duework.wake_run(id bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  was duework.job_runs;
BEGIN
  SELECT * INTO was FROM duework.job_runs AS j WHERE j.id = wake_run.id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF was.locked_by IS NOT NULL THEN
    UPDATE duework.job_runs AS j SET terms = coalesce(j.terms, '{}') || jsonb_build_object('woken', j.fence) WHERE j.id = was.id;
  ELSIF was.terms -> 'suspended' = to_jsonb(was.fence) AND was.run_at > now() THEN
    UPDATE duework.job_runs AS j SET run_at = now() WHERE j.id = was.id;
    IF was.held_by IS NOT NULL THEN
      PERFORM duework.line_up_anew(was);
    END IF;
    PERFORM duework.notify('duework_wake', was.queue);
  END IF;
  RETURN true;
END
$$;

-- What a wait of a run waited for has come. Returns whether it was still waiting.
CREATE FUNCTION duework.arrive(run bigint, step text, given jsonb) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
BEGIN
  UPDATE duework.job_steps AS s SET status = 'arrived', result = given, done_at = now()
  WHERE s.run_id = run AND s.name = step AND s.status = 'waiting';
  RETURN FOUND;
END
$$;

-- Sends a signal: it ends the wait of the run that has waited longest for its name and key; where none waits, it is kept
-- for the first that will. Returns whether one waited.
--
-- The shared lock keeps others from beginning to wait for it until this transaction ends: they would not see its row.
CREATE FUNCTION duework.signal(name text, key text, payload jsonb) RETURNS boolean
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  sent text := signal.name || ' ' || signal.key;
  waiting record;
BEGIN
  -- its snapshot is older than this lock, so that it would not see who has begun to wait since
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'A signal is sent at READ COMMITTED: at % it would not see who has begun to wait meanwhile.',
      upper(current_setting('transaction_isolation'))
      USING ERRCODE = '22W13', DETAIL = 'isolation_too_high',
        HINT = 'Send it in a transaction of its own, or begin this one with ISOLATION LEVEL READ COMMITTED.';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('duework.signal ' || sent, 0));
  FOR waiting IN
    SELECT s.run_id, s.name FROM duework.job_steps AS s
    WHERE s.status = 'waiting' AND s.awaits = 'signal' AND s.awaited = sent
    ORDER BY s.done_at, s.run_id, s.name
  LOOP
    -- a run that has ended waits for nothing; and another signal may have come first
    IF duework.wake_run(waiting.run_id) AND duework.arrive(waiting.run_id, waiting.name, signal.payload) THEN
      RETURN true;
    END IF;
  END LOOP;
  INSERT INTO duework.job_signals (awaited, payload) VALUES (sent, signal.payload);
  RETURN false;
END
$$;
COMMENT ON FUNCTION duework.signal IS 'Sends a signal to the run that waits for it, or that will';
REVOKE ALL ON FUNCTION duework.signal FROM PUBLIC;

-- Begins waits, each only while its claim owns the run, and in one order by everybody. Answers for each: waiting, and until
-- when; done: what ends it was there, or the run had this step; lost; busy: a transaction that sends this signal is open;
-- unknown: there is no such job.
CREATE FUNCTION duework.begin_waits(waits jsonb) RETURNS TABLE (place integer, answer text, wakes_at timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  w record;
  given jsonb;
  is_there boolean;
  of_type text;
BEGIN
  FOR w IN
    SELECT x.*, (n - 1)::integer AS place
    FROM ROWS FROM (jsonb_to_recordset(waits) AS (id bigint, fence bigint, name text, asked integer, "afterMs" float8, until timestamptz, awaits text, awaited text))
      WITH ORDINALITY AS x (id, fence, name, asked, after_ms, until, awaits, awaited, n)
    ORDER BY x.awaits, CASE WHEN x.awaits <> 'signal' AND x.awaited ~ '^[0-9]{1,18}$' THEN x.awaited::bigint END, x.awaited, x.id, x.name
  LOOP
    place := w.place;
    wakes_at := coalesce(w.until, now() + w.after_ms * interval '1 millisecond');
    given := NULL;
    SELECT j.job_type INTO of_type FROM duework.job_runs AS j WHERE j.id = w.id AND j.fence = w.fence AND j.locked_by IS NOT NULL;
    IF NOT FOUND THEN
      answer := 'lost';
    ELSIF w.awaits = 'signal'
      AND NOT pg_try_advisory_xact_lock(hashtextextended('duework.signal ' || w.awaited, 0)) THEN
      answer := 'busy';
    ELSE
      is_there := coalesce(w.awaits, 'signal') = 'signal' OR w.awaited ~ '^[0-9]{1,18}$';
      IF w.awaits <> 'signal' AND is_there THEN
        -- each wait changes the row, so that whoever ends the job comes before it, or sees it, or has 40001
        UPDATE duework.job_runs AS j SET terms = coalesce(j.terms, '{}') || jsonb_build_object('awaited', w.id::text)
        WHERE j.id = w.awaited::bigint;
        IF NOT FOUND THEN
          SELECT duework.ending_of(h) INTO given FROM duework.job_history AS h WHERE h.id = w.awaited::bigint;
          is_there := FOUND;
        END IF;
      END IF;
      IF is_there THEN
        INSERT INTO duework.job_steps (run_id, name, job_type, status, asked_seq, fence, wakes_at, awaits, awaited, at)
        VALUES (w.id, w.name, of_type, 'waiting', w.asked, w.fence, wakes_at, w.awaits, w.awaited, regexp_replace(w.name, ' [0-9]+$', ''))
        ON CONFLICT (run_id, name) DO NOTHING;
        answer := 'waiting';
        IF FOUND THEN
          -- so that its end finds its waits, and its cancellation its children, also before it has gone to wait
          UPDATE duework.job_runs AS j
          SET terms = coalesce(j.terms, '{}') || CASE w.awaits WHEN 'child' THEN '{"waits": true, "hasChildren": true}' ELSE '{"waits": true}' END::jsonb
          WHERE j.id = w.id AND NOT coalesce(j.terms ? CASE w.awaits WHEN 'child' THEN 'hasChildren' ELSE 'waits' END, false);
        ELSE
          SELECT CASE s.status WHEN 'waiting' THEN 'waiting' ELSE 'done' END, s.wakes_at INTO answer, wakes_at
          FROM duework.job_steps AS s WHERE s.run_id = w.id AND s.name = w.name;
        END IF;
        -- also one that was sent while a dead run waited, which has been retried since
        IF answer = 'waiting' AND w.awaits = 'signal' THEN
          DELETE FROM duework.job_signals AS k
          WHERE k.id = (SELECT i.id FROM duework.job_signals AS i WHERE i.awaited = w.awaited ORDER BY i.id LIMIT 1)
          RETURNING k.payload INTO given;
        END IF;
        IF answer = 'waiting' AND given IS NOT NULL THEN
          PERFORM duework.arrive(w.id, w.name, given);
          answer := 'done';
        END IF;
      ELSE
        answer := 'unknown';
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

-- What is told of a job's end to who waits for it.
CREATE FUNCTION duework.ending_of(ended duework.job_history) RETURNS jsonb
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('id', ended.id::text, 'status', ended.status, 'result', ended.result,
    'errorCode', ended.error_code, 'error', ended.last_error))
$$;

-- Ends the waits for a job that has ended, whatever ended it, in the statement that writes its history.
CREATE FUNCTION duework.tell_ended() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  waiting record;
BEGIN
  FOR waiting IN
    SELECT s.run_id, s.name FROM duework.job_steps AS s
    WHERE s.status = 'waiting' AND s.awaits IN ('job', 'child') AND s.awaited = NEW.id::text
    ORDER BY s.run_id, s.name
  LOOP
    PERFORM duework.wake_run(waiting.run_id);
    PERFORM duework.arrive(waiting.run_id, waiting.name, duework.ending_of(NEW));
  END LOOP;
  RETURN NULL;
END
$$;
-- also where somebody takes back a retry: another may have begun to wait for it meanwhile
CREATE TRIGGER job_history_ended_told AFTER INSERT ON duework.job_history
  FOR EACH ROW WHEN (NEW.terms ? 'awaited')
  EXECUTE FUNCTION duework.tell_ended();
REVOKE ALL ON FUNCTION duework.tell_ended FROM PUBLIC;

-- Cancels the children for which a cancelled run waits, and through this very trigger theirs.
CREATE FUNCTION duework.cancel_children() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  children bigint[];
  why      text := coalesce(NEW.cancel_reason, format('Its parent, job %s, was cancelled.', duework.outer_id(NEW.id)));
BEGIN
  SELECT array_agg(c.id) INTO children FROM (
    SELECT j.id FROM duework.job_runs AS j
    WHERE j.id IN (
      SELECT s.awaited::bigint FROM duework.job_steps AS s
      WHERE s.run_id = NEW.id AND s.status = 'waiting' AND s.awaits = 'child'
    )
    ORDER BY j.id
    FOR UPDATE
  ) AS c;
  UPDATE duework.job_runs AS j
  SET cancel_requested_at = coalesce(j.cancel_requested_at, now()),
    cancel_requested_by = coalesce(j.cancel_requested_by, NEW.cancel_requested_by),
    cancel_reason = coalesce(j.cancel_reason, why)
  WHERE j.id = ANY(children) AND j.status = 'running';
  PERFORM duework.notify('duework_cancel', j.id::text) FROM duework.job_runs AS j
  WHERE j.id = ANY(children) AND j.status = 'running';
  PERFORM FROM duework.cancel_waiting(children, NEW.cancel_requested_by, why, NULL);
  RETURN NULL;
END
$$;
-- not where somebody takes back a retry: it was cancelled before
CREATE TRIGGER job_history_cancelled_children AFTER INSERT ON duework.job_history_cancelled
  FOR EACH ROW WHEN (NEW.terms ? 'hasChildren' AND NEW.finished_at = now())
  EXECUTE FUNCTION duework.cancel_children();
REVOKE ALL ON FUNCTION duework.cancel_children FROM PUBLIC;

-- A run that has ended waits no more, whatever ended it: its waits stay, for a retry, and are not counted.
CREATE FUNCTION duework.leave_waits() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
  UPDATE duework.job_steps AS s SET at = NULL WHERE s.run_id = NEW.id AND s.status = 'waiting' AND s.at IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER job_history_waits_left AFTER INSERT ON duework.job_history
  FOR EACH ROW WHEN (NEW.terms ? 'waits')
  EXECUTE FUNCTION duework.leave_waits();

-- Takes that back where the run has come back to the queue in this statement: somebody retries it.
CREATE FUNCTION duework.take_up_waits() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
  IF EXISTS (SELECT FROM duework.job_runs AS r WHERE r.id = OLD.id) THEN
    UPDATE duework.job_steps AS s SET at = regexp_replace(s.name, ' [0-9]+$', '') WHERE s.run_id = OLD.id AND s.status = 'waiting';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER job_history_waits_back AFTER DELETE ON duework.job_history
  FOR EACH ROW WHEN (OLD.terms ? 'waits')
  EXECUTE FUNCTION duework.take_up_waits();
REVOKE ALL ON FUNCTION duework.leave_waits, duework.take_up_waits FROM PUBLIC;

-- Workflows: at which steps the live runs of each type wait, for what, how many, and since when the first of them does. For
-- operators, in bounded time whatever there is: `budget` waits are counted, of each step as many, the newest first. is_at_least:
-- there are more.
CREATE FUNCTION duework.find_waiting_steps(most_steps integer, budget integer)
  RETURNS TABLE (job_type text, step text, kind text, of text, jobs integer, is_at_least boolean, since timestamptz)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (job_type, step, place) AS (
    (SELECT s.job_type, s.at, 1 FROM duework.job_steps AS s
     WHERE s.status = 'waiting' AND s.at IS NOT NULL AND s.job_type IS NOT NULL
     ORDER BY s.job_type, s.at LIMIT 1)
    UNION ALL
    SELECT n.job_type, n.step, p.place + 1
    FROM places AS p
    CROSS JOIN LATERAL (
      SELECT s.job_type, s.at AS step FROM duework.job_steps AS s
      WHERE s.status = 'waiting' AND s.at IS NOT NULL AND (s.job_type, s.at) > (p.job_type, p.step)
      ORDER BY s.job_type, s.at LIMIT 1
    ) AS n
    WHERE p.place < most_steps
  ),
  share AS (SELECT least(10000, greatest(200, budget / greatest(1, count(*))))::integer AS each FROM places)
  SELECT p.job_type, p.step, f.kind, f.of, least(w.jobs, h.each), w.looked > h.each, f.since
  FROM places AS p
  CROSS JOIN share AS h
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT l.run_id)::integer AS jobs, count(*) AS looked
    FROM (
      SELECT s.run_id FROM duework.job_steps AS s
      WHERE s.status = 'waiting' AND s.at IS NOT NULL AND s.job_type = p.job_type AND s.at = p.step
      ORDER BY s.began_at DESC LIMIT h.each + 1
    ) AS l
  ) AS w
  CROSS JOIN LATERAL (
    SELECT s.began_at AS since, coalesce(s.awaits, 'time') AS kind,
      -- the name of the signal alone: its key has values of a payload in it
      CASE s.awaits WHEN 'signal' THEN split_part(s.awaited, ' ', 1) END AS of
    FROM duework.job_steps AS s
    WHERE s.status = 'waiting' AND s.at IS NOT NULL AND s.job_type = p.job_type AND s.at = p.step
    ORDER BY s.began_at LIMIT 1
  ) AS f
$$;

-- Workflows: how long the steps of each type took, by the last that have ended: `budget` in all, of each type as many.
CREATE FUNCTION duework.find_step_times(budget integer)
  RETURNS TABLE (job_type text, step text, kind text, times integer, median_ms float8, p95_ms float8, failed integer)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE types (job_type, place) AS (
    (SELECT s.job_type, 1 FROM duework.job_steps AS s
     WHERE s.status <> 'waiting' AND s.job_type IS NOT NULL ORDER BY s.job_type LIMIT 1)
    UNION ALL
    SELECT n.job_type, t.place + 1
    FROM types AS t
    CROSS JOIN LATERAL (
      SELECT s.job_type FROM duework.job_steps AS s
      WHERE s.status <> 'waiting' AND s.job_type > t.job_type ORDER BY s.job_type LIMIT 1
    ) AS n
    WHERE t.place < 200
  ),
  share AS (SELECT least(2000, greatest(50, budget / greatest(1, count(*))))::integer AS each FROM types)
  SELECT t.job_type, l.step, l.kind, count(*)::integer, percentile_cont(0.5) WITHIN GROUP (ORDER BY l.ms),
    percentile_cont(0.95) WITHIN GROUP (ORDER BY l.ms), (count(*) FILTER (WHERE l.has_failed))::integer
  FROM types AS t
  CROSS JOIN share AS h
  CROSS JOIN LATERAL (
    SELECT regexp_replace(s.name, ' [0-9]+$', '') AS step, greatest(0, extract(epoch FROM s.done_at - s.began_at)::float8 * 1000) AS ms,
      coalesce(s.awaits, CASE WHEN s.wakes_at IS NULL THEN 'work' ELSE 'time' END) AS kind,
      s.status = 'failed' OR coalesce(s.awaits = 'child' AND s.result ->> 'status' <> 'succeeded', false) AS has_failed
    FROM duework.job_steps AS s
    WHERE s.status <> 'waiting' AND s.job_type = t.job_type AND s.name <> '$graph'
    ORDER BY s.done_at DESC LIMIT h.each
  ) AS l
  GROUP BY t.job_type, l.step, l.kind
$$;

-- Workflows: how many live runs of each type have gone on behind a failed step or undo what they did, and how many jobs that
-- undo have failed themselves; by the last ones: `budget` in all, of each type as many.
CREATE FUNCTION duework.find_compensations(budget integer)
  RETURNS TABLE (job_type text, running integer, failed integer)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE types (job_type, place) AS (
    (SELECT s.job_type, 1 FROM duework.job_steps AS s
     WHERE (s.status = 'failed' OR s.name LIKE 'undo %') AND s.job_type IS NOT NULL ORDER BY s.job_type LIMIT 1)
    UNION ALL
    SELECT n.job_type, t.place + 1
    FROM types AS t
    CROSS JOIN LATERAL (
      SELECT s.job_type FROM duework.job_steps AS s
      WHERE (s.status = 'failed' OR s.name LIKE 'undo %') AND s.job_type > t.job_type ORDER BY s.job_type LIMIT 1
    ) AS n
    WHERE t.place < 200
  ),
  share AS (SELECT least(500, greatest(50, budget / greatest(1, count(*))))::integer AS each FROM types)
  SELECT t.job_type, count(DISTINCT l.run_id)::integer, (count(*) FILTER (WHERE l.has_failed))::integer
  FROM types AS t
  CROSS JOIN share AS h
  CROSS JOIN LATERAL (
    SELECT s.awaits = 'child' AND s.result ->> 'status' <> 'succeeded' AS has_failed,
      (SELECT r.id FROM duework.job_runs AS r WHERE r.id = s.run_id) AS run_id
    FROM duework.job_steps AS s
    WHERE (s.status = 'failed' OR s.name LIKE 'undo %') AND s.job_type = t.job_type
    ORDER BY s.done_at DESC LIMIT h.each
  ) AS l
  GROUP BY t.job_type
$$;

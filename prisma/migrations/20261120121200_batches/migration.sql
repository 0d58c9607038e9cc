-- Jobs that belong together, and the jobs that are enqueued once they have ended.

-- A batch. Its counts are those of the changes that have been added up; the newest ones stand in job_batch_changes.
CREATE TABLE duework.job_batches (
  id         text COLLATE "C" NOT NULL,
  name       text,
  jobs       integer     NOT NULL DEFAULT 0,
  succeeded  integer     NOT NULL DEFAULT 0,
  dead       integer     NOT NULL DEFAULT 0,
  cancelled  integer     NOT NULL DEFAULT 0,
  -- the jobs to enqueue, by when: onSettled, onSucceeded, onFirstDead
  callbacks  jsonb       NOT NULL DEFAULT '{}',
  -- their names, for those who may not read their payloads
  planned    jsonb       GENERATED ALWAYS AS (jsonb_path_query_array(callbacks, '$.keyvalue().key')) STORED,
  -- the ids of those that were
  enqueued   jsonb       NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when the last job had ended; nothing can be added since
  settled_at timestamptz,
  CONSTRAINT job_batches_pkey PRIMARY KEY (id),
  CONSTRAINT job_batches_id_check CHECK (length(id) BETWEEN 1 AND 64)
) WITH (
  fillfactor = 50
);
COMMENT ON TABLE duework.job_batches IS 'Jobs that belong together';
-- Lists, newest first, and what is old enough to go.
CREATE INDEX job_batches_created_at_idx ON duework.job_batches (created_at, id);

-- What has happened to the jobs of a batch and is not added up yet: a row for each, so that no two ends wait for each other.
CREATE TABLE duework.job_batch_changes (
  batch_id  text COLLATE "C" NOT NULL,
  jobs      integer NOT NULL DEFAULT 0,
  succeeded integer NOT NULL DEFAULT 0,
  dead      integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
COMMENT ON TABLE duework.job_batch_changes IS 'What has happened to batches and is not added up yet';
-- it has no key: a publication of all tables would refuse to delete its rows otherwise
ALTER TABLE duework.job_batch_changes REPLICA IDENTITY FULL;
CREATE INDEX job_batch_changes_batch_id_idx ON duework.job_batch_changes (batch_id);

-- Which jobs belong to a batch: to list and to cancel them.
CREATE TABLE duework.job_batch_jobs (
  batch_id text COLLATE "C" NOT NULL,
  run_id   bigint NOT NULL,
  CONSTRAINT job_batch_jobs_pkey PRIMARY KEY (batch_id, run_id)
);
COMMENT ON TABLE duework.job_batch_jobs IS 'Which jobs belong to a batch';
-- Retention: the jobs of a day that belong to batches.
CREATE INDEX job_batch_jobs_run_id_idx ON duework.job_batch_jobs (run_id);

-- Whether jobs can be added to a batch: open, settled or unknown. Until this transaction ends, nobody adds the batch up, because
-- nobody could see what this one adds.
CREATE FUNCTION duework.open_batch(of_id text) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  settled_at timestamptz;
BEGIN
  SELECT b.settled_at INTO settled_at FROM duework.job_batches AS b WHERE b.id = of_id FOR KEY SHARE;
  RETURN CASE WHEN NOT FOUND THEN 'unknown' WHEN settled_at IS NULL THEN 'open' ELSE 'settled' END;
END
$$;
REVOKE ALL ON FUNCTION duework.open_batch FROM PUBLIC;

-- Makes the jobs that an enqueue has just written those of a batch, in the same statement: `answer` is what enqueue_many_1 has
-- answered, and is returned. With `callbacks` the batch is a new one.
CREATE FUNCTION duework.join_batch(batch jsonb, answer text) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  told  jsonb := answer::jsonb;
  of_id text := batch ->> 'id';
  fresh bigint[];
BEGIN
  IF told ? 'left' THEN RETURN answer; END IF;
  SELECT coalesce(array_agg(i.id::bigint), '{}') INTO fresh
  FROM jsonb_array_elements_text(told -> 'ids') WITH ORDINALITY AS i (id, place)
  -- whose key was taken is another's
  WHERE told -> 'statuses' ->> (i.place - 1)::integer IS NULL;
  INSERT INTO duework.job_batch_jobs (batch_id, run_id) SELECT of_id, f.id FROM unnest(fresh) AS f (id);
  IF NOT batch ? 'callbacks' THEN
    INSERT INTO duework.job_batch_changes (batch_id, jobs) VALUES (of_id, cardinality(fresh));
    RETURN answer;
  END IF;
  INSERT INTO duework.job_batches (id, name, jobs, callbacks)
  VALUES (of_id, batch ->> 'name', cardinality(fresh), batch -> 'callbacks');
  -- nothing will end
  IF fresh = '{}' THEN PERFORM duework.add_up_batch(of_id); END IF;
  RETURN answer;
END
$$;
REVOKE ALL ON FUNCTION duework.join_batch FROM PUBLIC;

-- Adds up what has happened to batches, and enqueues the jobs for which it is time, each once. null: all that have changed,
-- up to a thousand. Answers those that another transaction is at: whoever has just changed them has to come again, because
-- that one may not have seen it.
CREATE FUNCTION duework.add_up_batches(ids text[]) RETURNS SETOF text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  one text;
BEGIN
  IF ids IS NULL THEN
    SELECT array_agg(DISTINCT c.batch_id) INTO ids FROM (SELECT x.batch_id FROM duework.job_batch_changes AS x LIMIT 1000) AS c;
  END IF;
  FOR one IN SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY 1 LOOP
    PERFORM FROM duework.job_batches AS b WHERE b.id = one FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      PERFORM duework.add_up_batch(one);
    ELSIF EXISTS (SELECT FROM duework.job_batches AS b WHERE b.id = one) THEN
      RETURN NEXT one;
    ELSE
      -- it has been pruned
      DELETE FROM duework.job_batch_changes AS c WHERE c.batch_id = one;
    END IF;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION duework.add_up_batches FROM PUBLIC;

-- The same for one, whose row the caller has locked.
CREATE FUNCTION duework.add_up_batch(of_id text) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  more record;
  b    duework.job_batches;
  due  text;
BEGIN
  WITH gone AS (DELETE FROM duework.job_batch_changes AS c WHERE c.batch_id = of_id RETURNING c.*)
  SELECT coalesce(sum(g.jobs), 0) AS jobs, coalesce(sum(g.succeeded), 0) AS succeeded, coalesce(sum(g.dead), 0) AS dead,
    coalesce(sum(g.cancelled), 0) AS cancelled, coalesce(bool_or(g.dead > 0), false) AS has_died
  INTO more FROM gone AS g;
  UPDATE duework.job_batches AS x
  SET jobs = x.jobs + more.jobs, succeeded = x.succeeded + more.succeeded, dead = x.dead + more.dead,
    cancelled = x.cancelled + more.cancelled,
    settled_at = coalesce(x.settled_at, CASE WHEN x.jobs + more.jobs = x.succeeded + more.succeeded + x.dead + more.dead
      + x.cancelled + more.cancelled THEN now() END)
  WHERE x.id = of_id
  RETURNING x.* INTO b;
  FOREACH due IN ARRAY ARRAY[
    CASE WHEN more.has_died THEN 'onFirstDead' END,
    CASE WHEN b.succeeded = b.jobs THEN 'onSucceeded' END,
    CASE WHEN b.settled_at IS NOT NULL THEN 'onSettled' END
  ] LOOP
    CONTINUE WHEN due IS NULL OR NOT b.callbacks ? due OR b.enqueued ? due;
    UPDATE duework.job_batches AS x
    SET enqueued = x.enqueued || jsonb_build_object(due, duework.write_callback(b.callbacks -> due))
    WHERE x.id = of_id;
  END LOOP;
END
$$;

-- Enqueues a job that was made, and checked, when its batch was; its id as text.
CREATE FUNCTION duework.write_callback(run jsonb) RETURNS text
LANGUAGE sql
AS $$
  SELECT split_part(duework.enqueue_1(
    run ->> 'type', (run ->> 'version')::integer, run ->> 'queue', (run ->> 'priority')::smallint,
    (run ->> 'maxAttempts')::integer, run -> 'payload', (run ->> 'runAt')::timestamptz, (run ->> 'delayMs')::float8,
    run ->> 'key', (run ->> 'keyWindowMs')::float8, run ->> 'queue', NULL, run -> 'meta', run -> 'flow'
  ), ' ', 1)
$$;

-- Notes that a job of a batch has ended, whatever ended it, in the statement that writes its history.
CREATE FUNCTION duework.note_batch_end() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO duework.job_batch_changes (batch_id, succeeded, dead, cancelled)
  VALUES (NEW.terms ->> 'batch', (NEW.status = 'succeeded')::integer, (NEW.status = 'dead')::integer,
    (NEW.status = 'cancelled')::integer);
  RETURN NULL;
END
$$;
-- also where somebody takes back a retry: that has counted it as open; not where leave_days takes it out of its day, which is
-- when it is with what is late, and was not
CREATE TRIGGER job_history_batch_end AFTER INSERT ON duework.job_history
  FOR EACH ROW WHEN (NEW.terms ? 'batch'
    AND NOT (NEW.is_late AND NEW.finished_at < (duework.day_of_id(NEW.id) + 2)::timestamp AT TIME ZONE 'UTC'))
  EXECUTE FUNCTION duework.note_batch_end();
REVOKE ALL ON FUNCTION duework.note_batch_end FROM PUBLIC;

-- Takes that back where the job has come back to the queue in this statement: somebody retries it.
CREATE FUNCTION duework.note_batch_return() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
  IF EXISTS (SELECT FROM duework.job_runs AS r WHERE r.id = OLD.id) THEN
    INSERT INTO duework.job_batch_changes (batch_id, succeeded, dead, cancelled)
    VALUES (OLD.terms ->> 'batch', -(OLD.status = 'succeeded')::integer, -(OLD.status = 'dead')::integer,
      -(OLD.status = 'cancelled')::integer);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER job_history_batch_return AFTER DELETE ON duework.job_history
  FOR EACH ROW WHEN (OLD.terms ? 'batch')
  EXECUTE FUNCTION duework.note_batch_return();
REVOKE ALL ON FUNCTION duework.note_batch_return FROM PUBLIC;

-- Cancels the next thousand live jobs of a batch behind `after`: those that wait at once, and the workers of those that run are
-- asked. Answers how many of which, and behind which job to go on; null: there is none left.
CREATE FUNCTION duework.cancel_batch(of_id text, after bigint, by text, reason text)
RETURNS TABLE (cancelled integer, requested integer, up_to bigint)
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  members bigint[];
BEGIN
  SELECT array_agg(m.run_id ORDER BY m.run_id) INTO members FROM (
    SELECT j.run_id FROM duework.job_batch_jobs AS j WHERE j.batch_id = of_id AND j.run_id > after ORDER BY j.run_id LIMIT 1000
  ) AS m;
  up_to := members[cardinality(members)];
  PERFORM FROM duework.job_runs AS r WHERE r.id = ANY(members) ORDER BY r.id FOR UPDATE;
  UPDATE duework.job_runs AS r
  SET cancel_requested_at = coalesce(r.cancel_requested_at, now()),
    cancel_requested_by = coalesce(r.cancel_requested_by, cancel_batch.by),
    cancel_reason = coalesce(r.cancel_reason, cancel_batch.reason)
  WHERE r.id = ANY(members) AND r.status = 'running';
  GET DIAGNOSTICS requested = ROW_COUNT;
  PERFORM duework.notify('duework_cancel', r.id::text) FROM duework.job_runs AS r
  WHERE r.id = ANY(members) AND r.status = 'running';
  SELECT count(*) INTO cancelled FROM duework.cancel_waiting(members, cancel_batch.by, cancel_batch.reason, NULL);
  RETURN NEXT;
END
$$;

-- What enqueueBatch does in TypeScript, for SQL, in the caller's transaction: all or nothing. A job is an object of the
-- options of duework.enqueue; on_settled, on_succeeded and on_first_dead are, too, and checked now. Answers with the id, which
-- is given where callbacks have to name it.
CREATE FUNCTION duework.begin_batch(
  jobs jsonb,
  name text DEFAULT NULL,
  on_settled jsonb DEFAULT NULL,
  on_succeeded jsonb DEFAULT NULL,
  on_first_dead jsonb DEFAULT NULL,
  id text DEFAULT gen_random_uuid()::text
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  -- what one run does not share with others of its kind
  own    CONSTANT text[] := '{payload,runAt,delayMs,key,meta,flow}';
  runs   jsonb;
  answer text := '{"ids": []}';
BEGIN
  IF jsonb_typeof(jobs) <> 'array' OR jobs IS NULL OR length(name) > 200 OR length(id) NOT BETWEEN 1 AND 64 OR id IS NULL THEN
    RAISE EXCEPTION 'A batch has a JSON array of jobs, a name of at most 200 characters, and an id of 1 to 64.'
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  SELECT jsonb_agg(r.run || jsonb_build_object('flow', coalesce(r.run -> 'flow', '{}')
    || jsonb_build_object('terms', coalesce(r.run -> 'flow' -> 'terms', '{}') || jsonb_build_object('batch', id))) ORDER BY r.n)
  INTO runs
  FROM (
    SELECT duework.make_batch_run(format('jobs[%s]', j.n - 1), j.job) AS run, j.n
    FROM jsonb_array_elements(jobs) WITH ORDINALITY AS j (job, n)
  ) AS r;
  IF runs IS NOT NULL THEN
    WITH x AS MATERIALIZED (
      SELECT r.run, r.n, dense_rank() OVER (ORDER BY r.run - own) AS kind
      FROM jsonb_array_elements(runs) WITH ORDINALITY AS r (run, n)
    ),
    kinds AS (
      SELECT array_agg(k.run ->> 'type' ORDER BY k.kind) AS types, array_agg((k.run ->> 'version')::integer ORDER BY k.kind) AS versions,
        array_agg(k.run ->> 'queue' ORDER BY k.kind) AS queues, array_agg((k.run ->> 'priority')::smallint ORDER BY k.kind) AS priorities,
        array_agg((k.run ->> 'maxAttempts')::integer ORDER BY k.kind) AS attempts,
        array_agg((k.run ->> 'keyWindowMs')::float8 ORDER BY k.kind) AS windows, array_agg(DISTINCT k.run ->> 'queue') AS wake
      FROM (SELECT DISTINCT x.kind, x.run - own AS run FROM x) AS k
    ),
    each AS (
      SELECT jsonb_agg(x.run -> 'payload' ORDER BY x.n) AS payloads, array_agg(x.kind::integer ORDER BY x.n) AS kinds,
        array_agg((x.run ->> 'runAt')::timestamptz ORDER BY x.n) AS ats, array_agg((x.run ->> 'delayMs')::float8 ORDER BY x.n) AS delays,
        array_agg(x.run ->> 'key' ORDER BY x.n) AS keys, jsonb_agg(x.run -> 'meta' ORDER BY x.n) AS metas,
        jsonb_agg(x.run -> 'flow' ORDER BY x.n) AS flows
      FROM x
    )
    SELECT duework.enqueue_many_1(k.types, k.versions, k.queues, k.priorities, k.attempts, k.windows, e.payloads, e.kinds, e.ats,
      e.delays, e.keys, k.wake, NULL, e.metas, false, e.flows)
    INTO answer FROM kinds AS k, each AS e;
  END IF;
  PERFORM duework.join_batch(
    jsonb_build_object('id', id, 'name', name, 'callbacks', (
      SELECT coalesce(jsonb_object_agg(c.due, c.run), '{}')
      FROM (VALUES ('onSettled', duework.make_batch_run('on_settled', on_settled)),
        ('onSucceeded', duework.make_batch_run('on_succeeded', on_succeeded)),
        ('onFirstDead', duework.make_batch_run('on_first_dead', on_first_dead))) AS c (due, run)
      WHERE c.run IS NOT NULL
    )),
    answer
  );
  RETURN id;
END
$$;
COMMENT ON FUNCTION duework.begin_batch IS 'Enqueues jobs that belong together, and what is to be enqueued once they have ended';

-- One of a batch, or of its callbacks, as make_run makes it; null: there is none.
CREATE FUNCTION duework.make_batch_run(place text, job jsonb) RETURNS jsonb
LANGUAGE plpgsql
AS $$
DECLARE
  run   jsonb;
  other text := CASE WHEN jsonb_typeof(job) = 'object' THEN (
    SELECT k FROM jsonb_object_keys(job) AS k
    WHERE k <> ALL('{type,payload,idempotency_key,run_at,delay,priority,max_attempts,version,meta,queue}') LIMIT 1
  ) END;
BEGIN
  IF job IS NULL THEN RETURN NULL; END IF;
  IF jsonb_typeof(job) <> 'object' OR other IS NOT NULL THEN
    RAISE EXCEPTION '% is an object with the options of duework.enqueue%.', place, coalesce(', and has no ' || to_json(left(other, 100)), '')
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  run := duework.make_run(job ->> 'type', job -> 'payload', job ->> 'idempotency_key', (job ->> 'run_at')::timestamptz,
    (job ->> 'delay')::interval, (job ->> 'priority')::integer, (job ->> 'max_attempts')::integer, (job ->> 'version')::integer,
    nullif(job -> 'meta', 'null'), job ->> 'queue');
  IF run ? 'rule' THEN
    RAISE EXCEPTION '% is of a type whose contract has no rule of uniqueness, not of %.', place, run ->> 'type'
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  RETURN run;
END
$$;
REVOKE ALL ON FUNCTION duework.begin_batch, duework.make_batch_run FROM PUBLIC;

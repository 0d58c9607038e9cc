-- Enqueueing as functions: one round trip, planned once per session through any client, also one that names no
-- statements, or a pooler.
--
-- enqueue_1 and enqueue_many_1 are called by programs, also by ones that are older than the database: the version
-- stands in their names, and a later migration adds a _2 beside the _1, so that older programs go on. duework.enqueue
-- is called by texts that nobody compiles, so its name has no number: parameters are only ever added, at the end and
-- with a default.
--
-- All three run with their owner's rights, so that a producer needs no right on any table: EXECUTE is granted, to
-- nobody at first. Hence the fixed search_path. The other settings leave the planner one plan, through the indexes,
-- whatever the statistics say.

-- ── Where a statement runs ──

-- A statement can be sent when its transaction has ended, or elsewhere, and would commit on its own what the caller
-- believes to be rolled back. Whoever passes a transaction says so: `in_transaction` is the id of one, or '' where its
-- statements cannot leave it as long as it is open. Where something was written before, one is open. Where nothing was,
-- nothing in SQL tells a statement that is first in its transaction from one that is alone; only when it commits does
-- it show: a COMMIT is a statement of its own, and so has a time of its own.

-- Has no rows that live: whoever inserts one deletes it at once. What counts is that the trigger looks at the commit.
CREATE UNLOGGED TABLE duework.commit_checks (
  created_at timestamptz NOT NULL
);

-- Refuses what commits in the statement that has written it. SET CONSTRAINTS ALL IMMEDIATE has a run looked at in its
-- statement, too, so that one only orders another look, which is always at the commit.
CREATE FUNCTION duework.refuse_alone() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NEW.created_at = statement_timestamp() THEN
    IF TG_TABLE_NAME = 'job_runs' THEN
      PERFORM duework.check_at_commit();
    ELSE
      RAISE EXCEPTION 'This statement was sent after its transaction had ended, and would have committed on its own.'
        USING ERRCODE = 'no_active_sql_transaction';
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER commit_checks_alone AFTER INSERT ON duework.commit_checks
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION duework.refuse_alone();
-- a run is as old as its transaction, unless enqueue_1 wants this look at its commit
CREATE CONSTRAINT TRIGGER job_runs_alone AFTER INSERT ON duework.job_runs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.created_at > now()) EXECUTE FUNCTION duework.refuse_alone();

-- Has this transaction looked at when it commits.
CREATE FUNCTION duework.check_at_commit() RETURNS void
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  place tid;
BEGIN
  SET CONSTRAINTS duework.commit_checks_alone DEFERRED;
  INSERT INTO duework.commit_checks VALUES (statement_timestamp()) RETURNING ctid INTO place;
  DELETE FROM duework.commit_checks WHERE ctid = place;
END
$$;

-- Refuses a statement that runs outside of the transaction that its caller means; null: the caller means none.
-- `was_written`: something in this very statement may have written before. Returns true.
CREATE FUNCTION duework.require_transaction(in_transaction text, was_written boolean DEFAULT false) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
  IF in_transaction = '' THEN
    IF was_written OR pg_current_xact_id_if_assigned() IS NULL THEN PERFORM duework.check_at_commit(); END IF;
  ELSIF in_transaction <> pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'This statement left the transaction %, and would have committed in %.',
      in_transaction, pg_current_xact_id() USING ERRCODE = 'no_active_sql_transaction';
  END IF;
  RETURN true;
END
$$;

-- Whether two payloads of one version are different. A value that is encrypted is another text each time: it is left
-- out, and where only one of the two is encrypted, nothing is said. Of payloads in objects, each of which has a key of its
-- own, the checksums are compared, and of encrypted ones nothing.
CREATE FUNCTION duework.payloads_differ(a jsonb, b jsonb) RETURNS boolean
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT CASE WHEN a ? '$offloaded' AND b ? '$offloaded'
    THEN a #> '{$offloaded,sha256}' <> b #> '{$offloaded,sha256}' AND NOT a -> '$offloaded' ? 'keyIds' AND NOT b -> '$offloaded' ? 'keyIds'
    ELSE a <> b AND (strpos(a::text, '{"$sealed": ') > 0) = (strpos(b::text, '{"$sealed": ') > 0)
    AND regexp_replace(a::text, '[{]"[$]sealed": "[^"]*"[}]', 'null', 'g')
      <> regexp_replace(b::text, '[{]"[$]sealed": "[^"]*"[}]', 'null', 'g')
    END
$$;

-- Where a run is now, live or finished, and whether its payload is another one than `payload`; nothing where there is
-- no such run. Payloads of different versions are not compared.
CREATE FUNCTION duework.compare_run(
  run_id bigint, version integer, payload jsonb, OUT status text, OUT run_at timestamptz, OUT differs boolean
)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  SELECT r.status, r.run_at, r.job_version = compare_run.version
    AND duework.payloads_differ(r.payload, compare_run.payload)
  INTO status, run_at, differs
  FROM duework.job_runs r WHERE r.id = run_id;
  IF FOUND THEN RETURN; END IF;
  EXECUTE '
    SELECT status, run_at, job_version = $2 AND duework.payloads_differ(payload, $3)
    FROM duework.job_history_days WHERE id = $1'
  INTO status, run_at, differs USING run_id, compare_run.version, compare_run.payload;
  IF status IS NOT NULL THEN RETURN; END IF;
  SELECT h.status, h.run_at, h.job_version = compare_run.version
    AND duework.payloads_differ(h.payload, compare_run.payload)
  INTO status, run_at, differs
  FROM (
    SELECT * FROM duework.job_history_dead
    UNION ALL SELECT * FROM duework.job_history_cancelled
    UNION ALL SELECT * FROM duework.job_history_late
  ) h
  WHERE h.id = run_id;
END
$$;

-- The terms of a run that is due at `due_at`, as job_runs keeps them: with moments, in ISO 8601, for what is given in
-- milliseconds after it. null: there are none.
CREATE FUNCTION duework.terms_of(terms jsonb, due_at timestamptz) RETURNS jsonb
LANGUAGE sql
STABLE
AS $$
  SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
    'expiresAt', to_char(
      (due_at + (terms ->> 'expiresAfterMs')::float8 * interval '1 millisecond') AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
    ),
    'onExpired', terms -> 'onExpired',
    'onDead', terms -> 'onDead',
    'batch', terms -> 'batch',
    'maxWaitMs', terms -> 'maxWaitMs',
    'hasObjects', terms -> 'hasObjects',
    'retryUntil', to_char(
      (due_at + (terms ->> 'retryForMs')::float8 * interval '1 millisecond') AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
    )
  )), '{}')
$$;

-- From when terms count that are given with a run: it is due at the start of its transaction, where it is due at once; but
-- that may be long ago.
CREATE FUNCTION duework.counted_from(due_at timestamptz) RETURNS timestamptz
LANGUAGE sql
STABLE
AS $$
  SELECT CASE WHEN statement_timestamp() > due_at + interval '1 second' THEN statement_timestamp() ELSE due_at END
$$;

-- The objects outside of the database that runs need: a payload or a result that was too large for its row, and files that
-- either names. An object that is in no row here belongs to nobody, and is removed once it is old enough.
CREATE TABLE duework.job_objects (
  object_key text COLLATE "C" NOT NULL,
  run_id     bigint      NOT NULL,
  -- that of the run; null: it was not said
  job_type   text COLLATE "C",
  -- when its run was last known to be there; see prune_with_runs
  needed_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_objects_pkey PRIMARY KEY (object_key, run_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
CREATE INDEX job_objects_needed_at_idx ON duework.job_objects (needed_at);
COMMENT ON TABLE duework.job_objects IS 'Which jobs need which objects of the store of large payloads';

-- The content of objects, where the store is this database: in parts, so that none is in memory whole.
CREATE TABLE duework.stored_objects (
  object_key text COLLATE "C" NOT NULL,
  part       integer     NOT NULL,
  put_at     timestamptz NOT NULL DEFAULT now(),
  content    bytea       NOT NULL,
  CONSTRAINT stored_objects_pkey PRIMARY KEY (object_key, part)
);
-- what is compressed already, or encrypted, gains nothing
ALTER TABLE duework.stored_objects ALTER COLUMN content SET STORAGE EXTERNAL;
COMMENT ON TABLE duework.stored_objects IS 'Large payloads and results that tableStore keeps';

-- Writes a part of an object, the first of which is 0. Whoever may enqueue may put what is enqueued; nothing is replaced.
CREATE FUNCTION duework.put_object(object_key text, part integer, content bytea) RETURNS void
LANGUAGE sql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO duework.stored_objects (object_key, part, content) VALUES (put_object.object_key, put_object.part, put_object.content)
$$;
REVOKE ALL ON FUNCTION duework.put_object FROM PUBLIC;

-- The keys of the objects that a payload names: {"$object": "<key>", …}, at any depth.
CREATE FUNCTION duework.objects_in(payload jsonb) RETURNS SETOF text
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT DISTINCT o #>> '{}' FROM jsonb_path_query(payload, 'strict $.**."$object" ? (@.type() == "string")', silent => true) AS o
$$;

-- Notes of runs that were just written when they expire, for expire_runs, and which objects they need.
CREATE FUNCTION duework.note_terms(ids bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO duework.expiries (at, run_id)
  SELECT (r.terms ->> 'expiresAt')::timestamptz, r.id
  FROM duework.job_runs r WHERE r.id = ANY(ids) AND r.terms ? 'expiresAt';
  INSERT INTO duework.job_objects (object_key, run_id, job_type)
  SELECT o.key, r.id, r.job_type
  FROM duework.job_runs r CROSS JOIN LATERAL duework.objects_in(r.payload) AS o (key)
  WHERE r.id = ANY(ids) AND r.terms ? 'hasObjects'
  ON CONFLICT DO NOTHING;
END
$$;

-- Writes one run and takes its key. `at` wins over `delay_ms`. Where `in_transaction` is given and another one runs
-- this, nothing is written: answers 'left <transaction>', and fails where '' is given and none is open. Answers
-- '<id> <ms>' for a new run, the second being when it is due; '<id> <ms> <status>' for the run that has the key, and '<id> <ms> <status>,differs' where that one has another
-- payload.
--
-- `wake` is sent as a NOTIFY where the run is new; one with a space in it names a few workers, which the number of
-- the transaction behind it chooses.
--
-- `flow`: {"gates": ["limit/smtp", …], "units": [1, …], "terms": {…}}, each of which may be left out: the run stands in
-- line at the first of its gates. Nothing here waits for others at a gate: rows are added, which a worker reads.
--
-- A key that is held is looked up first, which needs no lock, no write and no commit: the same event told a thousand
-- times costs a thousand reads. Where an open transaction has taken the key, this one waits for its end.
CREATE FUNCTION duework.enqueue_1(
  type text, version integer, queue text, priority smallint, max_attempts integer, payload jsonb,
  at timestamptz, delay_ms double precision, key text, key_window_ms double precision, wake text, in_transaction text,
  meta jsonb DEFAULT NULL,
  flow jsonb DEFAULT NULL
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
  -- a delay counts from the enqueue: the transaction may have begun long before
  due_at timestamptz := coalesce(enqueue_1.at, CASE WHEN enqueue_1.delay_ms > 0 THEN statement_timestamp() ELSE now() END
    + enqueue_1.delay_ms * interval '1 millisecond');
  made_at timestamptz := now();
BEGIN
  IF in_transaction = '' THEN
    IF pg_current_xact_id_if_assigned() IS NULL THEN
      -- job_runs_alone looks at it at the commit, which costs no row and no look at a table
      made_at := statement_timestamp();
      -- as a client has it that sends no parameters apart
      IF made_at = now() THEN PERFORM duework.check_at_commit(); END IF;
    END IF;
  ELSIF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction THEN RETURN 'left ' || pg_current_xact_id(); END IF;
  END IF;
  IF enqueue_1.key IS NULL THEN
    IF enqueue_1.flow IS NOT NULL THEN
      new_id := duework.next_run_id();
    ELSE
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta,
        created_at)
      VALUES (
        enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload,
        enqueue_1.max_attempts, enqueue_1.meta, made_at
      )
      RETURNING id INTO new_id;
    END IF;
  ELSE
    LOOP
      SELECT run_id INTO holder FROM duework.job_keys
      WHERE job_type = enqueue_1.type AND key = enqueue_1.key AND (expires_at <= now()) IS NOT TRUE;
      IF holder IS NOT NULL THEN
        -- STABLE, so that it looks with one snapshot: a run that moves between tables meanwhile is never taken for
        -- dropped
        SELECT f.status, f.run_at, f.differs INTO seen
        FROM duework.compare_run(holder, enqueue_1.version, enqueue_1.payload) f;
        IF seen.status IS NOT NULL THEN
          RETURN holder || ' ' || date_part('epoch', seen.run_at) * 1000 || ' ' || seen.status
            || CASE WHEN seen.differs THEN ',differs' ELSE '' END;
        END IF;
        -- retention has dropped its run: the key is free
        gone := holder;
      END IF;
      new_id := coalesce(new_id, duework.next_run_id());
      -- updates even when nothing changes, because DO NOTHING would not wait for the transaction that holds the key
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      VALUES (enqueue_1.type, enqueue_1.key, new_id, statement_timestamp() + key_window_ms * interval '1 millisecond')
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.expires_at ELSE k.expires_at END
      RETURNING run_id INTO holder;
      EXIT WHEN holder = new_id;
      -- another transaction has just committed it: this one's next look sees its run
    END LOOP;
    IF enqueue_1.flow IS NULL THEN
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key,
        max_attempts, meta, created_at)
      VALUES (
        new_id, enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload,
        enqueue_1.key, enqueue_1.max_attempts, enqueue_1.meta, made_at
      );
    END IF;
  END IF;
  IF enqueue_1.flow IS NOT NULL THEN
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key,
      max_attempts, meta, created_at, held_by, gates, gate_units, terms)
    VALUES (
      new_id, enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload,
      enqueue_1.key, enqueue_1.max_attempts, enqueue_1.meta, made_at, flow -> 'gates' ->> 0,
      CASE WHEN flow ? 'gates' THEN ARRAY(SELECT jsonb_array_elements_text(flow -> 'gates')) END,
      CASE WHEN flow ? 'units' THEN ARRAY(SELECT jsonb_array_elements_text(flow -> 'units')::integer) END,
      duework.terms_of(flow -> 'terms', coalesce(enqueue_1.at, duework.counted_from(due_at)))
    );
    PERFORM duework.line_up(ARRAY[new_id]);
    IF flow ? 'terms' THEN PERFORM duework.note_terms(ARRAY[new_id]); END IF;
  END IF;
  IF wake IS NOT NULL THEN
    PERFORM duework.notify(
      'duework_wake', CASE WHEN strpos(wake, ' ') > 0 THEN wake || ' ' || pg_current_xact_id() ELSE wake END
    );
  END IF;
  RETURN new_id || ' ' || date_part('epoch', due_at) * 1000;
END
$$;

-- Writes many runs, all or none, as enqueue_1 does. What runs have in common is given once, as a kind: `kinds` says
-- which of the `types` (versions, …) is each run's, null: all have the first. Other arrays are null where no run
-- needs one. Sends `wake` where a run is new. `metas`: an array with each run's, or an object that all have. Answers
-- {"left": transaction}, or {"ids": […], "ats": […], "statuses": […], "differs": […]}, a run each: a status is null
-- where the run is new; "ats" is null, and "now" is given, where all are due now.
--
-- Keys are taken in one order by everybody, so that two batches cannot wait for each other.
CREATE FUNCTION duework.enqueue_many_1(
  types text[], versions integer[], queues text[], priorities smallint[], max_attempts integer[],
  key_windows_ms double precision[],
  payloads jsonb, kinds integer[], ats timestamptz[], delays_ms double precision[], keys text[], wake text[],
  in_transaction text,
  metas jsonb DEFAULT NULL,
  -- answers {"held": true}, having written nothing, where another open transaction has taken a key for more than 10 ms
  no_wait boolean DEFAULT false,
  -- an array with each run's, or an object that all have, as enqueue_1 takes it; null: none has gates or terms
  flows jsonb DEFAULT NULL
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
  each_flow   jsonb := CASE WHEN jsonb_typeof(flows) = 'array' THEN flows END;
  shared_flow jsonb := CASE WHEN jsonb_typeof(flows) = 'object' THEN flows END;
  held     bigint[];
  gone     bigint[];
  -- of the runs that are answered; null: not yet
  ids      bigint[];
  due_ms   double precision[];
  statuses text[];
  -- the run that has the key has another payload; null: it is new
  differs  boolean[];
  -- nothing tells yet whether a transaction is open
  is_first boolean := false;
BEGIN
  IF no_wait THEN
    -- caught here, the lock timeout is no error for the caller, and no line of the server's log
    BEGIN
      PERFORM set_config('lock_timeout', '10ms', true);
      RETURN duework.enqueue_many_1(types, versions, queues, priorities, max_attempts, key_windows_ms, payloads, kinds,
        ats, delays_ms, keys, wake, in_transaction, metas, false, flows);
    EXCEPTION WHEN lock_not_available THEN
      RETURN '{"held": true}';
    END;
  END IF;
  IF in_transaction = '' THEN
    is_first := pg_current_xact_id_if_assigned() IS NULL;
  ELSIF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction
      THEN RETURN json_build_object('left', pg_current_xact_id()::text); END IF;
  END IF;
  IF keys IS NULL AND flows IS NULL THEN
    WITH inserted AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
      SELECT queues[coalesce(x.kind, 1)], types[coalesce(x.kind, 1)], versions[coalesce(x.kind, 1)],
        priorities[coalesce(x.kind, 1)],
        CASE
          WHEN x.at IS NOT NULL THEN x.at
          WHEN x.delay_ms IS NULL THEN now()
          ELSE statement_timestamp() + x.delay_ms * interval '1 millisecond'
        END,
        x.payload, enqueue_many_1.max_attempts[coalesce(x.kind, 1)],
        coalesce(nullif(x.meta, 'null'), shared_meta)
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms),
        jsonb_array_elements(each_meta)
      ) AS x (payload, kind, at, delay_ms, meta)
      RETURNING id, run_at
    )
    SELECT array_agg(i.id),
      CASE WHEN enqueue_many_1.ats IS NOT NULL OR delays_ms IS NOT NULL
        THEN array_agg(date_part('epoch', i.run_at) * 1000) END
    INTO ids, due_ms
    FROM inserted i;
    PERFORM duework.notify(
      'duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END
    )
    FROM unnest(wake) AS w (hint);
    IF is_first THEN PERFORM duework.check_at_commit(); END IF;
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
        unnest(held), unnest(ids), unnest(statuses), unnest(due_ms), unnest(differs), unnest(kinds),
        jsonb_array_elements(payloads)
      ) WITH ORDINALITY AS x (run_id, id, status, due_ms, differs, kind, payload, position)
      CROSS JOIN LATERAL duework.compare_run(x.run_id, versions[coalesce(x.kind, 1)], x.payload) AS f;
    END IF;
    EXIT WHEN array_position(ids, NULL) IS NULL AND ids IS NOT NULL;
    WITH input AS MATERIALIZED (
      SELECT x.*, coalesce(x.kind, 1) AS of_kind, CASE WHEN x.known_id IS NULL THEN duework.next_run_id() END AS id,
        CASE
          WHEN x.at IS NOT NULL THEN x.at
          WHEN x.delay_ms IS NULL THEN now()
          ELSE statement_timestamp() + x.delay_ms * interval '1 millisecond'
        END AS run_at
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms), unnest(keys),
        unnest(ids),
        unnest(statuses), unnest(due_ms), jsonb_array_elements(each_meta), jsonb_array_elements(each_flow)
      ) WITH ORDINALITY AS x (payload, kind, at, delay_ms, key, known_id, status, due_ms, meta, flow, position)
    ),
    taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      SELECT DISTINCT ON (types[i.of_kind], i.key)
        types[i.of_kind], i.key, i.id, statement_timestamp() + key_windows_ms[i.of_kind] * interval '1 millisecond'
      FROM input i
      WHERE i.key IS NOT NULL AND i.known_id IS NULL
      ORDER BY types[i.of_kind], i.key, i.position
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.expires_at
          ELSE k.expires_at END
      RETURNING run_id
    ),
    written AS MATERIALIZED (
      SELECT i.* FROM input i LEFT JOIN taken t ON t.run_id = i.id
      WHERE i.known_id IS NULL AND (i.key IS NULL OR t.run_id IS NOT NULL)
    ),
    inserted AS (
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key,
        max_attempts, meta, held_by, gates, gate_units, terms)
      SELECT i.id, queues[i.of_kind], types[i.of_kind], versions[i.of_kind], priorities[i.of_kind], i.run_at,
        i.payload, i.key,
        enqueue_many_1.max_attempts[i.of_kind], coalesce(nullif(i.meta, 'null'), shared_meta),
        f.flow -> 'gates' ->> 0,
        CASE WHEN f.flow ? 'gates' THEN ARRAY(SELECT jsonb_array_elements_text(f.flow -> 'gates')) END,
        CASE WHEN f.flow ? 'units' THEN ARRAY(SELECT jsonb_array_elements_text(f.flow -> 'units')::integer) END,
        CASE WHEN f.flow ? 'terms' THEN duework.terms_of(f.flow -> 'terms', coalesce(i.at, duework.counted_from(i.run_at))) END
      FROM written i CROSS JOIN LATERAL (SELECT coalesce(nullif(i.flow, 'null'), shared_flow) AS flow) f
    )
    SELECT array_agg(coalesce(i.known_id, w.id) ORDER BY i.position),
      array_agg(coalesce(i.due_ms, date_part('epoch', w.run_at) * 1000) ORDER BY i.position),
      array_agg(i.status ORDER BY i.position)
    INTO ids, due_ms, statuses
    FROM input i LEFT JOIN written w ON w.id = i.id;
    -- what is not answered now has an earlier run, in this batch or in a transaction that has just committed: the
    -- next look sees it
    EXIT WHEN array_position(ids, NULL) IS NULL;
  END LOOP;
  IF flows IS NOT NULL THEN
    PERFORM duework.line_up(n.ids),
      CASE WHEN jsonb_path_exists(flows, '$[*].terms') THEN duework.note_terms(n.ids)::text END
    FROM (SELECT ARRAY(SELECT x.id FROM unnest(ids, statuses) AS x (id, status) WHERE x.status IS NULL)) AS n (ids);
  END IF;
  IF array_position(statuses, NULL) IS NOT NULL THEN
    IF is_first THEN PERFORM duework.check_at_commit(); END IF;
    PERFORM duework.notify(
      'duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END
    )
    FROM unnest(wake) AS w (hint);
  END IF;
  RETURN json_build_object('ids', ids, 'ats', due_ms, 'statuses', statuses, 'differs', differs);
END
$$;

-- Refuses a payload that no worker could read, as TypeScript does: over 64 KiB, more than 100 levels, a key that
-- parsers leave out. Where the extension pg_jsonschema is there, also one that does not fit `schema`; null: there is
-- none to check it with. And one that would be stored in plain text where its contract wants it encrypted.
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
  IF EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = check_payload.type AND d.requires_encryption) THEN
    RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', type
      USING ERRCODE = '22W08', DETAIL = 'key_ring_missing',
        HINT = 'Enqueue it in TypeScript, in a process that has a key ring.';
  END IF;
  -- jsonb writes a blank behind each comma and colon, which the limit does not count: less than half of its text
  IF bytes BETWEEN max_bytes + 1 AND 2 * max_bytes THEN
    content := regexp_replace(content, E'"([^"\\\\]|\\\\.)*"', '', 'g');
    bytes := bytes - (length(content) - length(replace(content, ' ', '')));
  END IF;
  IF bytes > max_bytes THEN
    RAISE EXCEPTION 'The payload of % is % bytes; the limit is %.', type, bytes, max_bytes
      USING ERRCODE = '22W03', DETAIL = 'payload_too_large',
        HINT = 'Store the content elsewhere and enqueue a reference.';
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
  SELECT n.nspname INTO validator FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'pg_jsonschema';
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

-- The keys at which a run with a payload stands in line, as the rules of its definition (job_definitions.flow) say:
-- {"gates": […], "units": […]}, as enqueue_1 takes them, without units where it takes 1 of each; null: it has no rules.
-- A value is the text that TypeScript makes of it (gatesOf in contracts): a number is written without an exponent and
-- without noughts at its end, what is missing or null is empty, and a text of more than 200 characters stands there as
-- its SHA-256. `queue`: the one that the run goes to, which the key of a tenant names; null: that of its definition.
CREATE FUNCTION duework.gates_of(type text, rules jsonb, payload jsonb, queue text DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql
IMMUTABLE
AS $$
DECLARE
  gates text[] := '{}';
  units integer[] := '{}';
  rule  jsonb;
  path  text[];
  value jsonb;
  told  text;
  name  text;
BEGIN
  IF rules IS NULL THEN RETURN NULL; END IF;
  FOR rule IN SELECT jsonb_array_elements(rules) LOOP
    name := CASE WHEN rule ->> 'rule' LIKE 'tenant/%' THEN 'tenant/' || coalesce(queue, split_part(rule ->> 'rule', '/', 2))
      ELSE rule ->> 'rule' END;
    IF rule ? 'by' THEN
      path := ARRAY(SELECT jsonb_array_elements_text(rule -> 'by'));
      value := payload #> path;
      told := coalesce(value #>> '{}', '');
      IF jsonb_typeof(value) IN ('object', 'array') THEN
        RAISE EXCEPTION 'The payload of % has an % at %, by which % tells runs apart: a text, a number or a boolean is needed.',
          type, jsonb_typeof(value), array_to_string(path, '.'), rule ->> 'rule'
          USING ERRCODE = '22W09', DETAIL = 'invalid_flow_value';
      END IF;
      IF jsonb_typeof(value) = 'number' THEN told := trim_scale(told::numeric); END IF;
      IF length(told) > 200 THEN told := '#' || encode(sha256(convert_to(told, 'UTF8')), 'hex'); END IF;
      gates := gates || (name || '/' || told);
    ELSE
      gates := gates || name;
    END IF;
    value := rule -> 'units';
    IF jsonb_typeof(value) = 'array' THEN
      path := ARRAY(SELECT jsonb_array_elements_text(value));
      value := payload #> path;
      IF jsonb_typeof(value) = 'number' AND value::numeric BETWEEN 1 AND 1000000 AND value::numeric % 1 = 0 THEN
        value := to_jsonb(value::numeric::integer);
      ELSE
        RAISE EXCEPTION 'The payload of % has no whole number from 1 to 1000000 at %, which is how much a run takes of %.',
          type, array_to_string(path, '.'), rule ->> 'rule'
          USING ERRCODE = '22W09', DETAIL = 'invalid_flow_value';
      END IF;
    END IF;
    units := units || coalesce(value::integer, 1);
  END LOOP;
  RETURN jsonb_build_object('gates', gates)
    || CASE WHEN 1 = ALL(units) THEN '{}' ELSE jsonb_build_object('units', units) END;
END
$$;

-- A key as it is kept: a long one by its first characters, to be read, and its hash, to be told from all others.
CREATE FUNCTION duework.shorten_key(key text) RETURNS text
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT CASE WHEN length(key) > 255
    THEN left(key, 190) || '#' || encode(sha256(convert_to(key, 'UTF8')), 'hex') ELSE key END
$$;

-- Refuses texts beside a payload that are none, or too long.
CREATE FUNCTION duework.check_meta(meta jsonb) RETURNS void
LANGUAGE plpgsql
IMMUTABLE
AS $$
BEGIN
  -- octet_length: jsonb writes a blank behind each comma and colon
  IF jsonb_typeof(meta) <> 'object' OR jsonb_path_exists(meta, '$.* ? (@.type() != "string")')
    OR octet_length(meta::text) > 2048 THEN
    RAISE EXCEPTION 'meta is a JSON object of texts, of at most 2048 bytes.'
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
END
$$;

-- A run of `type` as it is to be written, with all that it is refused for: for whoever enqueues in SQL. What is left out
-- has the contract's default. Its options are those of duework.enqueue.
CREATE FUNCTION duework.make_run(type text, payload jsonb, idempotency_key text, run_at timestamptz, delay interval,
  priority integer, max_attempts integer, version integer, meta jsonb, queue text) RETURNS jsonb
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  job  duework.job_definitions;
  flow jsonb;
BEGIN
  SELECT d.* INTO job FROM duework.job_definitions d WHERE d.type = make_run.type;
  IF job.type IS NULL THEN
    RAISE EXCEPTION 'There is no job type %. Known: %.', coalesce(to_json(left(make_run.type, 100))::text, 'null'),
      (SELECT coalesce(left(string_agg(d.type, ', ' ORDER BY d.type), 1000), 'none') FROM duework.job_definitions d)
      USING ERRCODE = '22W01', DETAIL = 'unknown_job_type', HINT = 'A worker makes its types known when it starts.';
  END IF;
  IF make_run.version NOT BETWEEN coalesce(job.oldest_version, job.version) AND job.version THEN
    RAISE EXCEPTION 'The payload was written for version % of %; % to % are known.',
      make_run.version, job.type, coalesce(job.oldest_version, job.version), job.version
      USING ERRCODE = '22W07', DETAIL = 'unknown_job_version',
        HINT = 'A worker makes its versions known when it starts.';
  END IF;
  IF make_run.payload IS NULL AND (job.default_payload IS NULL OR make_run.version < job.version) THEN
    RAISE EXCEPTION 'A % needs a payload: its contract has no default one.', job.type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload', HINT = 'Give payload => jsonb_build_object(…).';
  END IF;
  IF job.has_key AND make_run.idempotency_key IS NULL THEN
    RAISE EXCEPTION 'A % has an idempotency key, which its contract makes in its own code: it has to be given here.',
      job.type
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key',
        HINT = 'Give idempotency_key => …, as the contract makes it.';
  END IF;
  IF length(make_run.idempotency_key) = 0 THEN
    RAISE EXCEPTION 'The idempotency key of a % is empty.', job.type
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  make_run.idempotency_key := duework.shorten_key(make_run.idempotency_key);
  IF make_run.queue <> ALL(coalesce(job.queues, ARRAY[job.queue])) THEN
    RAISE EXCEPTION 'A % cannot be enqueued into %: its contract allows %.', job.type,
      to_json(left(make_run.queue, 100))::text, array_to_string(coalesce(job.queues, ARRAY[job.queue]), ', ')
      USING ERRCODE = '22W11', DETAIL = 'queue_not_allowed';
  END IF;
  job.queue := coalesce(make_run.queue, job.queue);
  IF make_run.priority NOT BETWEEN 0 AND 9 THEN
    RAISE EXCEPTION 'priority is a whole number from 0 (first) to 9 (last), not %.', make_run.priority
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.max_attempts NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'max_attempts is a whole number from 1 to 1000, not %.', make_run.max_attempts
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.run_at IS NOT NULL AND make_run.delay IS NOT NULL THEN
    RAISE EXCEPTION 'delay is given without run_at.' USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.delay NOT BETWEEN interval '0' AND interval '1000 years' THEN
    RAISE EXCEPTION 'delay is from 0 to 1000 years, not %.', make_run.delay
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.run_at < '1970-01-01Z' OR make_run.run_at >= '10000-01-01Z' THEN
    RAISE EXCEPTION 'run_at is between the years 1970 and 9999, not %.', make_run.run_at
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  PERFORM duework.check_meta(make_run.meta);
  PERFORM duework.check_payload(
    job.type, make_run.payload,
    CASE WHEN coalesce(make_run.version, job.version) = job.version THEN job.payload_schema END
  );
  IF job.has_gate_code THEN
    RAISE EXCEPTION 'A % stands in line by a value that its contract makes in its own code.', job.type
      USING ERRCODE = '22W10', DETAIL = 'flow_needs_code',
        HINT = 'Enqueue it in TypeScript, or give its contract the path of a value instead of a function.';
  END IF;

  payload := coalesce(payload, job.default_payload);
  flow := nullif(
    coalesce(duework.gates_of(job.type, job.flow, payload, job.queue), '{}')
      || jsonb_strip_nulls(jsonb_build_object('terms', CASE WHEN strpos(payload::text, '"$object": "') > 0
        THEN coalesce(job.terms, '{}') || '{"hasObjects": true}' ELSE job.terms END)),
    '{}'
  );
  -- as write_callback reads it
  RETURN jsonb_strip_nulls(jsonb_build_object(
    'type', job.type, 'version', coalesce(version, job.version), 'queue', job.queue,
    'priority', coalesce(priority, job.priority), 'maxAttempts', coalesce(max_attempts, job.max_attempts),
    'runAt', run_at, 'delayMs', coalesce(date_part('epoch', delay) * 1000, 0), 'key', idempotency_key,
    'keyWindowMs', job.key_window_ms, 'meta', nullif(meta, '{}'), 'flow', flow, 'rule', job.unique_rule
  )) || jsonb_build_object('payload', payload);
END
$$;

-- The wake-up for a run that is written into a queue. How many runs this transaction has written into it: its wake-ups are
-- sent together, at the commit, and the tenth wakes everybody. In a setting, because a function has no other memory that
-- a rollback takes back. `$`, because a setting's name has no `-`.
CREATE FUNCTION duework.hint_of(queue text, is_due boolean) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  counter text := 'duework.told_' || replace(queue, '-', '$');
  told    integer := coalesce(substring(current_setting(counter, true) FROM '^[0-9]{1,3}$')::integer, 0) + 1;
BEGIN
  PERFORM set_config(counter, least(told, 10)::text, true);
  RETURN CASE WHEN told >= 10 THEN queue ELSE queue || ' ' || told || CASE WHEN is_due THEN ' now' ELSE ' later' END END;
END
$$;

-- What enqueue does in TypeScript, for triggers, other languages and a session of psql. It knows a type from
-- job_definitions, which workers write when they start, and writes through enqueue_1 like everybody else.
--
-- Writes a run of `type` in the caller's transaction and wakes a worker at its commit; answers with its id, or with
-- that of the run that has the key. What is left out has the contract's default. `version`: of the contract for which
-- the payload was written; a trigger names the one that it was written for, and so survives the next one.
--
-- The payload is stored as it is given: the worker parses it, and has it dead with invalid_payload where it does not
-- fit.
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
  queue text DEFAULT NULL,
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
  run    jsonb;
  wake   text;
  answer text[];
BEGIN
  run := duework.make_run(
    type, payload, idempotency_key, run_at, delay, priority, max_attempts, version, meta, queue
  );

  wake := duework.hint_of(run ->> 'queue', enqueue.run_at IS NULL AND enqueue.delay IS NULL);
  IF run ? 'rule' AND run ? 'key' THEN
    run := duework.write_unique(run || jsonb_build_object('at', coalesce(run_at, CASE WHEN delay > '0' THEN statement_timestamp() + delay END), 'delayMs', 0), wake);
    id := run ->> 'id';
    is_deduplicated := run ->> 'status' IS NOT NULL;
    RETURN;
  END IF;
  answer := string_to_array(
    duework.enqueue_1(
      type, (run ->> 'version')::integer, run ->> 'queue', (run ->> 'priority')::smallint,
      (run ->> 'maxAttempts')::integer, run -> 'payload',
      coalesce(run_at, CASE WHEN delay > '0' THEN statement_timestamp() + delay END), 0, run ->> 'key',
      (run ->> 'keyWindowMs')::float8, wake, NULL, run -> 'meta', run -> 'flow'
    ),
    ' '
  );
  id := answer[1];
  is_deduplicated := cardinality(answer) = 3;
END
$$;

-- Nobody may enqueue who was not given the right.
REVOKE ALL ON FUNCTION duework.enqueue_1, duework.enqueue_many_1 FROM PUBLIC;
REVOKE ALL ON FUNCTION duework.check_payload, duework.make_run, duework.enqueue, duework.hint_of FROM PUBLIC;
REVOKE ALL ON FUNCTION duework.compare_run, duework.payloads_differ, duework.note_terms FROM PUBLIC;
REVOKE ALL ON FUNCTION duework.check_at_commit, duework.refuse_alone FROM PUBLIC;

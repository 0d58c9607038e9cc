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

-- What changes runs that wait: their time is over, another one comes instead of them, or a deploy has changed their rules.

-- When runs expire that have not started by then. Written with the run; a run that has started, or is over, is found out
-- when its row is looked at, so that no claim and no settlement writes here.
CREATE TABLE duework.expiries (
  at     timestamptz NOT NULL,
  run_id bigint      NOT NULL,
  CONSTRAINT expiries_pkey PRIMARY KEY (at, run_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
COMMENT ON TABLE duework.expiries IS 'When runs expire that have not started by then';

-- The terms of a run that is due so much later: those moments move with it.
CREATE FUNCTION duework.move_terms(terms jsonb, later interval) RETURNS jsonb
LANGUAGE sql
STABLE
AS $$
  SELECT jsonb_object_agg(t.name, CASE WHEN t.name IN ('expiresAt', 'retryUntil')
    THEN to_jsonb(to_char(
      ((t.value #>> '{}')::timestamptz + later) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
    ))
    ELSE t.value END)
  FROM jsonb_each(terms) AS t (name, value)
$$;

-- The gates of a run that goes to a queue: its tenant takes turns there.
CREATE FUNCTION duework.gates_in_queue(gates text[], queue text) RETURNS text[]
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT array_agg(CASE WHEN g.gate LIKE 'tenant/%'
      THEN 'tenant/' || queue || substr(g.gate, length(duework.rule_of_key(g.gate)) + 1) ELSE g.gate END ORDER BY g.place)
  FROM unnest(gates) WITH ORDINALITY AS g (gate, place)
$$;

-- Where a run waits whose gates, or whose moment, are changed: at the first; one that has begun keeps the order it is in.
CREATE FUNCTION duework.gate_to_wait(run duework.job_runs, gates text[]) RETURNS text
LANGUAGE sql
STABLE
AS $$
  SELECT CASE WHEN (run.attempts > 0 OR run.snoozed_at IS NOT NULL OR run.releases IS NOT NULL) AND run.gates[1] = gates[1]
    THEN duework.gate_to_retry(gates) ELSE gates[1] END
$$;

-- A run that waits has been changed, by whoever calls this and has locked it: it leaves the line in which it stood, as
-- `was`, stands where it stands now, and whoever waits at the gates that it had is looked at. It locks no key, because
-- producers call it, too.
CREATE FUNCTION duework.line_up_anew(was duework.job_runs) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  -- of an order the place says nothing of the moment: it would be let in before it is due
  DELETE FROM duework.flow_waits w
  WHERE w.key = was.held_by AND w.priority = duework.line_priority(was.held_by, was.priority)
    AND w.ready_at = duework.line_ready_at(was.held_by, was.run_at) AND w.run_id = was.id;
  PERFORM duework.line_up(ARRAY[was.id]);
  INSERT INTO duework.flow_looks (at, key) SELECT now(), g.gate FROM unnest(was.gates) AS g (gate);
END
$$;

-- Cancels runs that wait, which whoever calls this has locked; answers with those that did. Whoever waits at their gates
-- is looked at by a worker, which is woken: no key is locked, because producers call this, too.
CREATE FUNCTION duework.cancel_waiting(run_ids bigint[], by text, reason text, code text)
RETURNS TABLE (id bigint, job_type text)
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH r AS (
    DELETE FROM duework.job_runs j WHERE j.id = ANY(run_ids) AND j.status IN ('queued', 'failed') RETURNING j.*
  ),
  recorded AS (
    INSERT INTO duework.job_history (
      id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence,
      claimed_at, created_at, snoozes, snoozed_at, meta, releases, gates, gate_units, terms, progress, finished_at, status,
      failed_at, error_code, error_type, last_error, cancel_requested_at, cancel_requested_by, cancel_reason
    )
    SELECT r.id, r.queue, r.job_type, r.job_version, r.priority, r.run_at, r.payload, r.idempotency_key, r.attempts,
      r.max_attempts, r.fence, r.claimed_at, r.created_at, r.snoozes, r.snoozed_at, r.meta, r.releases, r.gates,
      r.gate_units, r.terms, r.progress, now(), 'cancelled', r.failed_at, coalesce(code, r.error_code), r.error_type, r.last_error,
      now(), by, reason
    FROM r
  ),
  looked AS (
    INSERT INTO duework.flow_looks (at, key)
    SELECT DISTINCT now(), g.gate FROM r CROSS JOIN LATERAL unnest(r.gates) AS g (gate)
  )
  SELECT r.id, r.job_type FROM r
  CROSS JOIN (
    SELECT count(duework.notify('duework_wake', q.queue)) FROM (SELECT DISTINCT r.queue FROM r WHERE r.gates IS NOT NULL) AS q
  ) AS told
$$;

-- Enqueues what a contract wants to be told of an expired run; a type that nobody knows any more, or that refuses the
-- payload, is a warning in the log, because a run that cannot be told of expires all the same.
CREATE FUNCTION duework.tell_expired(run_id bigint, type text, payload jsonb, told text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM duework.enqueue(
    told,
    jsonb_build_object('jobId', duework.outer_id(run_id), 'type', type)
    -- as in tell_dead: sensitive values, and payloads in objects, stay where they are
    || CASE WHEN NOT payload ? '$offloaded' AND EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = tell_expired.type AND d.sensitive = '{}')
      THEN jsonb_build_object('payload', payload) ELSE '{}' END,
    idempotency_key => 'expired:' || run_id
  );
EXCEPTION WHEN data_exception THEN
  RAISE WARNING 'The end of run % could not be told to %: %', run_id, told, SQLERRM;
END
$$;

-- Cancels runs that have not started in time, at most `batch`, and forgets the expiries of others that were looked at.
-- A run that is running at this moment was claimed in time, and is looked at again, because its worker may give it back.
-- Answers with those that were cancelled, and whether there may be more.
CREATE FUNCTION duework.expire_runs(batch integer, OUT ids bigint[], OUT types text[], OUT looked integer)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  due   bigint[];
  ended bigint[];
BEGIN
  WITH gone AS (
    DELETE FROM duework.expiries
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.expiries WHERE at <= now() ORDER BY at LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING run_id
  )
  SELECT array_agg(g.run_id) INTO due FROM gone g;
  looked := coalesce(cardinality(due), 0);
  IF looked = 0 THEN RETURN; END IF;
  -- nobody claims or changes them any more; whoever has a row just now has it first, and is looked at again
  WITH locked AS MATERIALIZED (
    SELECT r.id, r.status, r.attempts, r.snoozed_at, r.releases, (r.terms ->> 'expiresAt')::timestamptz AS expires_at
    FROM duework.job_runs r WHERE r.id = ANY(due) ORDER BY r.id FOR UPDATE SKIP LOCKED
  ),
  again AS (
    INSERT INTO duework.expiries (at, run_id)
    -- it expires later than was noted; or another one has the row; or it may be given back before it has started, which
    -- is looked for the less often the longer it runs
    SELECT CASE
        WHEN l.expires_at > now() THEN l.expires_at
        ELSE now() + greatest(interval '5 seconds', now() - l.expires_at)
      END, r.id
    FROM duework.job_runs r LEFT JOIN locked l ON l.id = r.id
    WHERE r.id = ANY(due) AND r.terms ? 'expiresAt'
      AND (l.id IS NULL OR l.expires_at > now() OR (l.status = 'running' AND l.attempts = 1
        AND l.snoozed_at IS NULL AND l.releases IS NULL))
    ON CONFLICT DO NOTHING
  )
  SELECT array_agg(l.id) INTO ended
  FROM locked l
  WHERE l.status = 'queued' AND l.attempts = 0 AND l.snoozed_at IS NULL AND l.releases IS NULL AND l.expires_at <= now();
  IF ended IS NULL THEN RETURN; END IF;
  PERFORM duework.tell_expired(r.id, r.job_type, r.payload, r.terms ->> 'onExpired')
  FROM duework.job_runs r WHERE r.id = ANY(ended) AND r.terms ? 'onExpired';
  SELECT array_agg(c.id), array_agg(c.job_type) INTO ids, types
  FROM duework.cancel_waiting(ended, 'expiry', 'It had not started in time', 'expired') c;
END
$$;

-- ── One run instead of many ──

-- Raises 40001 where a run that this transaction's snapshot shows is over meanwhile, which happens above READ COMMITTED
-- alone. The lock that tells is given back at once, because settlements would wait for it.
CREATE FUNCTION duework.require_live(run_id bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  IF current_setting('transaction_isolation') IN ('read committed', 'read uncommitted') THEN RETURN; END IF;
  PERFORM FROM duework.job_runs r WHERE r.id = require_live.run_id FOR KEY SHARE;
  RAISE SQLSTATE '22W00';
EXCEPTION WHEN SQLSTATE '22W00' THEN
  RETURN;
END
$$;

-- Writes one run of a contract that says what makes it one of a kind, `run.rule`; or, where it has none, as enqueue_1
-- does. The row of its key is locked until the transaction ends, so that producers of one key come one after the other;
-- and so is the run that waits under it, so that a claim comes before or after, and takes it as it is then.
--
-- Answers with {"id", "ms", "status", "differs"}: the status is null where the run is new, else that of the run that has
-- the key, as this statement leaves it. Raises 22W12 where it is to be refused, with that run as JSON in its hint.
CREATE FUNCTION duework.write_unique(run jsonb, wake text) RETURNS jsonb
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  of_type  CONSTANT text := run ->> 'type';
  of_key   CONSTANT text := run ->> 'key';
  rule     CONSTANT jsonb := nullif(run -> 'rule', 'null');
  conflict CONSTANT text := rule ->> 'onConflict';
  period   CONSTANT interval := (rule ->> 'perMs')::float8 * interval '1 millisecond';
  flow     CONSTANT jsonb := nullif(run -> 'flow', 'null');
  lines    text[];
  due_at   timestamptz := coalesce((run ->> 'at')::timestamptz,
    CASE WHEN (run ->> 'delayMs')::float8 > 0 THEN statement_timestamp() ELSE now() END
      + (run ->> 'delayMs')::float8 * interval '1 millisecond');
  ends_at  timestamptz;
  holder   bigint := 0;
  held_to  timestamptz;
  waits    duework.job_runs;
  status   text;
  seen     record;
  answer   text[];
BEGIN
  IF rule IS NOT NULL THEN
    ends_at := CASE
      WHEN conflict = 'once_more' THEN now() + period
      -- the end of the period that it is now
      ELSE to_timestamp((floor(date_part('epoch', now()) / date_part('epoch', period)) + 1) * date_part('epoch', period))
    END;
    -- 0: nobody had it
    INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at) VALUES (of_type, of_key, 0, ends_at)
    ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET needed_at = now()
    RETURNING k.run_id, k.expires_at INTO holder, held_to;
    WHILE holder > 0 LOOP
      SELECT r.* INTO waits FROM duework.job_runs r
      WHERE r.id = holder AND r.status IN ('queued', 'failed') FOR UPDATE;
      status := waits.status;
      EXIT WHEN status IS NOT NULL;
      -- without a lock, for which its settlement would wait
      SELECT f.status INTO status FROM duework.find_run_status(holder) f;
      -- it has come back since it was looked for
      EXIT WHEN (status IN ('queued', 'failed')) IS NOT TRUE;
    END LOOP;
    IF status = 'running' THEN PERFORM duework.require_live(holder); END IF;
    IF held_to <= now() OR (CASE rule ->> 'while'
      WHEN 'kept' THEN status IS NULL
      WHEN 'alive' THEN (status IN ('queued', 'failed', 'running')) IS NOT TRUE
      ELSE waits.id IS NULL
    END) THEN holder := 0; END IF;
  END IF;

  IF holder > 0 AND conflict = 'refuse' THEN
    RAISE EXCEPTION 'There is a % with this key.', of_type
      USING ERRCODE = '22W12', DETAIL = 'job_exists', HINT = json_build_object('exists', holder::text, 'type', of_type, 'status', status);
  ELSIF holder > 0 AND conflict = 'cancel_running' THEN
    IF waits.id IS NOT NULL THEN
      PERFORM duework.cancel_waiting(ARRAY[holder], 'newer', 'A newer job was enqueued with its key', NULL);
    ELSE
      UPDATE duework.job_runs r
      SET cancel_requested_at = coalesce(r.cancel_requested_at, now()),
        cancel_requested_by = coalesce(r.cancel_requested_by, 'newer'),
        cancel_reason = coalesce(r.cancel_reason, 'A newer job was enqueued with its key')
      WHERE r.id = holder AND r.status = 'running';
      IF FOUND THEN PERFORM duework.notify('duework_cancel', holder::text); END IF;
    END IF;
  ELSIF holder > 0 AND (conflict = 'replace' AND waits.id IS NOT NULL
    -- the one more, whose time has not come: the first one keeps its payload, however long it waits for a worker
    OR conflict = 'once_more' AND waits.run_at > clock_timestamp() AND waits.claimed_at IS NULL) THEN
    IF conflict = 'once_more' THEN due_at := waits.run_at; END IF;
    due_at := least(due_at, waits.created_at + (rule ->> 'maxDelayMs')::float8 * interval '1 millisecond');
    lines := CASE WHEN flow ? 'gates'
      THEN duework.gates_in_queue(ARRAY(SELECT jsonb_array_elements_text(flow -> 'gates')), waits.queue) END;
    UPDATE duework.job_runs r
    SET payload = run -> 'payload', job_version = (run ->> 'version')::integer, run_at = due_at,
      meta = nullif(run -> 'meta', 'null'), terms = duework.terms_of(flow -> 'terms', coalesce((run ->> 'at')::timestamptz, duework.counted_from(due_at))),
      held_by = duework.gate_to_wait(waits, lines), gates = lines,
      gate_units = CASE WHEN flow ? 'units' THEN ARRAY(SELECT jsonb_array_elements_text(flow -> 'units')::integer) END
    WHERE r.id = holder;
    PERFORM duework.note_terms(ARRAY[holder]);
    IF coalesce(waits.gates, lines) IS NOT NULL THEN PERFORM duework.line_up_anew(waits); END IF;
    IF due_at < waits.run_at OR waits.gates IS NOT NULL THEN PERFORM duework.notify('duework_wake', waits.queue); END IF;
    RETURN json_build_object('id', holder, 'ms', date_part('epoch', due_at) * 1000, 'status', status, 'differs', false);
  ELSIF holder > 0 AND conflict = 'once_more' THEN
    due_at := greatest(due_at, held_to);
    ends_at := due_at + period;
  ELSIF holder > 0 THEN
    IF conflict = 'earliest' AND due_at < waits.run_at THEN
      UPDATE duework.job_runs r SET run_at = due_at WHERE r.id = holder;
      IF waits.held_by IS NOT NULL THEN PERFORM duework.line_up_anew(waits); END IF;
      PERFORM duework.notify('duework_wake', waits.queue);
    END IF;
    SELECT f.run_at, f.differs INTO seen
    FROM duework.compare_run(holder, (run ->> 'version')::integer, run -> 'payload') f;
    RETURN json_build_object('id', holder, 'ms', date_part('epoch', seen.run_at) * 1000, 'status', status,
      'differs', coalesce(seen.differs, false));
  END IF;

  answer := string_to_array(duework.enqueue_1(
    of_type, (run ->> 'version')::integer, run ->> 'queue', (run ->> 'priority')::smallint,
    (run ->> 'maxAttempts')::integer, run -> 'payload', due_at, 0,
    CASE WHEN rule IS NULL THEN of_key END, (run ->> 'windowMs')::float8, wake, NULL, nullif(run -> 'meta', 'null'), flow
  ), ' ');
  IF rule IS NOT NULL THEN
    UPDATE duework.job_keys k
    SET run_id = answer[1]::bigint, created_at = now(), needed_at = now(), expires_at = ends_at
    WHERE k.job_type = of_type AND k.key = of_key;
  END IF;
  RETURN json_build_object('id', answer[1]::bigint, 'ms', answer[2]::float8, 'status', split_part(answer[3], ',', 1),
    'differs', coalesce(answer[3] LIKE '%,differs', false));
END
$$;

-- Writes runs of which some are of contracts that say what makes them one of a kind, all or none. `runs`: an array of
-- {"type", "version", "queue", "priority", "maxAttempts", "payload", "at", "delayMs", "key", "windowMs", "meta", "flow",
-- "rule"}; `wakes`: what is sent for each queue in which a run is new. Answers {"left": transaction}, or {"exists": id,
-- "type", "status"} where one is refused, or an array as write_unique answers, in the order of `runs`.
--
-- Keys are taken in one order by everybody, so that two batches cannot wait for each other.
CREATE FUNCTION duework.enqueue_unique_1(runs jsonb, wakes jsonb, in_transaction text, may_raise boolean DEFAULT false)
RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  each    record;
  told    jsonb := wakes;
  answers jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(runs)]);
  refused text;
BEGIN
  IF in_transaction = '' THEN
    PERFORM duework.require_transaction('');
  ELSIF pg_current_xact_id()::text <> in_transaction THEN
    RETURN json_build_object('left', pg_current_xact_id()::text);
  END IF;
  IF NOT may_raise AND jsonb_path_exists(runs, '$[*].rule ? (@.onConflict == "refuse")') THEN
    -- what was written before the refused one is taken back, and the caller's transaction can go on
    BEGIN
      RETURN duework.enqueue_unique_1(runs, wakes, NULL, true);
    EXCEPTION WHEN SQLSTATE '22W12' THEN
      GET STACKED DIAGNOSTICS refused = PG_EXCEPTION_HINT;
      RETURN refused;
    END;
  END IF;
  FOR each IN
    SELECT x.run, x.position, x.run ->> 'queue' AS queue
    FROM jsonb_array_elements(runs) WITH ORDINALITY AS x (run, position)
    ORDER BY x.run ->> 'type', x.run ->> 'key', x.position
  LOOP
    answers[each.position] := duework.write_unique(each.run, told ->> each.queue);
    -- a queue is told once
    IF jsonb_typeof(answers[each.position] -> 'status') = 'null' THEN told := told - each.queue; END IF;
  END LOOP;
  RETURN array_to_json(answers);
END
$$;
REVOKE ALL ON FUNCTION duework.enqueue_unique_1, duework.write_unique FROM PUBLIC;

-- ── Rules that a deploy has changed ──
--
-- The gates of a run are made when it is enqueued. So where a deploy adds, removes or changes rules, the runs that wait get
-- theirs anew: a start that registers other rules says so (gates_after), and workers of these rules go over the runs in the order
-- of their ids, one worker at a time, a portion in a transaction. They claim none of the type before that is done. What a
-- program of the old rules enqueues or gives back later gets its gates from the worker that claims it, before its handler begins.

-- By what the gates of a type are made. What else its rules declare counts at once for all runs.
CREATE FUNCTION duework.gates_shape(flow jsonb, has_gate_code boolean) RETURNS jsonb
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT jsonb_agg(r.rule - 'declared' ORDER BY r.place) || to_jsonb(has_gate_code)
  FROM jsonb_array_elements(flow) WITH ORDINALITY AS r (rule, place)
$$;

-- Those of these types ([{"type", "flow", "has_gate_code"}]) of which no other rules are registered.
CREATE FUNCTION duework.types_by_rules(definitions jsonb) RETURNS SETOF text
LANGUAGE sql
STABLE
AS $$
  SELECT d.type
  FROM jsonb_to_recordset(definitions) AS x (type text, flow jsonb, has_gate_code boolean)
  JOIN duework.job_definitions AS d ON d.type = x.type
  WHERE duework.gates_shape(d.flow, d.has_gate_code) IS NOT DISTINCT FROM duework.gates_shape(x.flow, x.has_gate_code)
$$;

-- Gives runs other gates: [{"id", "fence", "gates", "units"}], by id, without a fence where a run waits, and with that of
-- the claim whose handler has not begun, which is taken back, uncharged. Each stands in line as its gates say, and whoever
-- waits at those that it had is looked at. It locks no key. `busy`: how many wait and are left, because somebody has their rows.
CREATE FUNCTION duework.change_gates(changes jsonb, OUT changed bigint[], OUT busy integer)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  had    text[];
  queues text[];
  ahead  duework.job_runs;
BEGIN
  WITH given AS MATERIALIZED (
    SELECT x.* FROM jsonb_to_recordset(changes) AS x (id bigint, fence bigint, gates text[], units integer[])
  ),
  locked AS MATERIALIZED (
    SELECT g.id, g.gates AS lines, g.units, r.*
    FROM given AS g
    CROSS JOIN LATERAL (
      SELECT j.held_by, j.priority, j.run_at, j.gates, (
          SELECT jsonb_strip_nulls(jsonb_build_object('maxWaitMs', d.max_wait_ms))
          FROM duework.job_definitions AS d WHERE d.type = j.job_type AND g.gates IS NOT NULL
        ) AS waits,
        -- one that has begun keeps the order that it is in
        CASE
          WHEN (j.attempts > (j.status = 'running')::integer OR j.snoozed_at IS NOT NULL OR j.releases IS NOT NULL)
            AND j.gates[1] = g.gates[1]
            THEN duework.gate_to_retry(g.gates)
          ELSE g.gates[1]
        END AS waits_at
      FROM duework.job_runs AS j
      WHERE j.id = g.id AND j.cancel_requested_at IS NULL
        AND CASE WHEN j.status = 'running' THEN j.fence = g.fence ELSE g.fence IS NULL END
      FOR UPDATE SKIP LOCKED
    ) AS r
  ),
  stood AS (
    DELETE FROM duework.flow_waits AS w
    WHERE w.ctid = ANY(ARRAY(
      SELECT x.ctid FROM locked AS l
      CROSS JOIN LATERAL (
        SELECT w.ctid FROM duework.flow_waits AS w
        WHERE w.key = l.held_by AND w.priority = duework.line_priority(l.held_by, l.priority)
          AND w.ready_at = duework.line_ready_at(l.held_by, l.run_at) AND w.run_id = l.id
        LIMIT 1
      ) AS x
    ))
  ),
  written AS (
    UPDATE duework.job_runs AS j
    SET gates = l.lines, gate_units = l.units, held_by = l.waits_at,
      terms = nullif(coalesce(j.terms, '{}') - 'maxWaitMs' || coalesce(l.waits, '{}'), '{}'),
      status = CASE WHEN j.status = 'running' THEN 'queued' ELSE j.status END,
      attempts = j.attempts - (j.status = 'running')::integer, locked_by = NULL, locked_until = NULL
    FROM locked AS l
    WHERE j.id = ANY(ARRAY(SELECT l.id FROM locked AS l)) AND l.id = j.id
    RETURNING j.id, j.queue
  )
  SELECT array_agg(w.id), array_agg(DISTINCT w.queue),
    ARRAY(SELECT DISTINCT g.gate FROM locked AS l CROSS JOIN LATERAL unnest(l.gates) AS g (gate)),
    (
      SELECT count(*) FROM given AS g
      WHERE g.fence IS NULL AND g.id NOT IN (SELECT l.id FROM locked AS l)
        AND EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = g.id AND j.status IN ('queued', 'failed') OFFSET 0)
    )
  INTO changed, queues, had, busy
  FROM written AS w;
  IF changed IS NULL THEN RETURN; END IF;
  PERFORM duework.line_up(changed);
  INSERT INTO duework.flow_looks (at, key) SELECT now(), x.key FROM unnest(had) AS x (key);
  -- of an order, whoever was let in and has not begun waits for those before it that have just come
  FOR ahead IN
    SELECT r.*
    FROM (
      SELECT j.gates[1] AS key, min(j.id) AS id FROM duework.job_runs AS j
      WHERE j.id = ANY(changed) AND j.gates[1] LIKE 'order/%' GROUP BY j.gates[1]
    ) AS o
    JOIN duework.flow_keys AS k ON k.key = o.key
    CROSS JOIN LATERAL unnest(k.holders) AS h (id)
    CROSS JOIN LATERAL (
      SELECT j.* FROM duework.job_runs AS j
      WHERE j.id = h.id AND j.id > o.id AND j.gates[1] = o.key AND j.held_by IS DISTINCT FROM o.key
        AND j.status = 'queued' AND j.attempts = 0 AND j.snoozed_at IS NULL AND j.releases IS NULL
      FOR UPDATE SKIP LOCKED
    ) AS r
  LOOP
    UPDATE duework.job_runs AS j SET held_by = j.gates[1] WHERE j.id = ahead.id;
    PERFORM duework.line_up_anew(ahead);
  END LOOP;
  PERFORM pg_notify('duework_wake', q.queue) FROM unnest(queues) AS q (queue);
END
$$;

-- The same of runs that were claimed, by who makes gates by `definitions`; nothing of types of which other rules are registered.
CREATE FUNCTION duework.change_claims(definitions jsonb, changes jsonb) RETURNS bigint[]
LANGUAGE sql
AS $$
  SELECT (duework.change_gates(jsonb_agg(c.change ORDER BY c.place))).changed
  FROM jsonb_array_elements(changes) WITH ORDINALITY AS c (change, place)
  WHERE c.change ->> 'type' IN (SELECT duework.types_by_rules(definitions))
$$;

-- The next portion of the runs that wait for their gates, for the store `taker`, whose rules are `definitions`: those of `types`
-- among the next `most` runs, as [id, type, version, queue, gates, units, payload], and up to which id that is, null: there
-- are no more. `busy`: types that are another's at the moment, of whom nothing was heard for 5 seconds at most.
--
-- `overruled`: types of which other rules are registered, although no worker that lives has started after `worker`. A
-- worker of old rules that started anew in the middle of a deploy has done that, and is gone.
CREATE FUNCTION duework.take_gates(definitions jsonb, taker text, worker text, most integer, bytes bigint,
  OUT types text[], OUT busy text[], OUT upto bigint, OUT looked integer, OUT runs text, OUT overruled text[])
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  mine  text[] := ARRAY(
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.gates_after IS NOT NULL AND d.type IN (SELECT duework.types_by_rules(definitions))
  );
  after bigint;
BEGIN
  busy := '{}';
  overruled := ARRAY(
    SELECT d.type
    FROM duework.worker_contracts AS m
    CROSS JOIN jsonb_to_recordset(definitions) AS x (type text, version integer)
    JOIN duework.job_definitions AS d ON d.type = x.type AND d.version <= x.version
    WHERE m.worker = take_gates.worker AND d.type NOT IN (SELECT duework.types_by_rules(definitions))
      AND NOT EXISTS (
        SELECT FROM duework.worker_contracts AS w
        WHERE w.started_at > m.started_at AND w.contracts ? d.type AND w.seen_at > now() - interval '3 minutes'
          AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
      )
  );
  IF mine = '{}' OR overruled <> '{}' THEN RETURN; END IF;
  WITH free AS MATERIALIZED (
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.type = ANY(mine) AND d.gates_after IS NOT NULL
      AND (d.gates_by IS NULL OR d.gates_by = taker OR d.gates_at < clock_timestamp() - interval '5 seconds')
    ORDER BY d.type FOR UPDATE SKIP LOCKED
  ),
  taken AS (
    UPDATE duework.job_definitions AS d SET gates_by = taker, gates_at = clock_timestamp()
    WHERE d.type = ANY(ARRAY(SELECT f.type FROM free AS f))
    RETURNING d.type, d.gates_after
  )
  SELECT array_agg(t.type), min(t.gates_after) INTO types, after FROM taken AS t;
  busy := ARRAY(SELECT unnest(mine) EXCEPT SELECT unnest(types));
  IF types IS NULL THEN RETURN; END IF;
  SELECT max(b.id), count(*), coalesce(json_agg(json_build_array(
      b.id::text, b.job_type, b.job_version, r.queue, r.gates, r.gate_units, b.payload
    ) ORDER BY b.id) FILTER (WHERE r.queue IS NOT NULL), '[]')
  INTO upto, looked, runs
  FROM duework.read_payloads(after, 9223372036854775807, most, bytes) AS b
  LEFT JOIN LATERAL (
    SELECT j.queue, j.gates, j.gate_units FROM duework.job_runs AS j
    WHERE j.id = b.id AND j.job_type = ANY(types) AND j.status IN ('queued', 'failed')
    LIMIT 1
  ) AS r ON true;
END
$$;

-- Writes what became of that portion (change_gates), and how far it is: up to `upto`, null: all have theirs. Where runs are
-- left, because somebody has their rows, the portion comes again, unless `goes_on`. Returns how many were changed and left; nulls, and
-- nothing is written, where it is not this one's any more.
CREATE FUNCTION duework.write_gates(of_types text[], taker text, upto bigint, changes jsonb, goes_on boolean,
  OUT changed integer, OUT busy integer)
LANGUAGE plpgsql
AS $$
DECLARE
  ours text[] := ARRAY(
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.type = ANY(of_types) AND d.gates_by = taker AND d.gates_after IS NOT NULL ORDER BY d.type FOR UPDATE
  );
BEGIN
  IF cardinality(ours) < cardinality(of_types) THEN RETURN; END IF;
  SELECT coalesce(cardinality(c.changed), 0), c.busy INTO changed, busy FROM duework.change_gates(changes) AS c;
  IF busy > 0 AND NOT goes_on THEN RETURN; END IF;
  UPDATE duework.job_definitions AS d
  SET gates_after = CASE WHEN upto IS NOT NULL THEN greatest(d.gates_after, upto) END,
    gates_by = CASE WHEN upto IS NOT NULL THEN taker END,
    gates_at = CASE WHEN upto IS NOT NULL THEN clock_timestamp() END
  WHERE d.type = ANY(of_types);
  -- whoever has claimed none of them meanwhile looks again
  IF upto IS NULL THEN PERFORM pg_notify('duework_wake', ''); END IF;
END
$$;

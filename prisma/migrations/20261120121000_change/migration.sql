-- Runs that are no longer wanted when their time is over.

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
      ((t.value #>> '{}')::timestamptz + later) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
    ))
    ELSE t.value END)
  FROM jsonb_each(terms) AS t (name, value)
$$;

-- Enqueues what a contract wants to be told of an expired run; a type that nobody knows any more, or that refuses the
-- payload, is a warning in the log, because a run that cannot be told of expires all the same.
CREATE FUNCTION duework.tell_expired(run_id bigint, type text, payload jsonb, told text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM duework.enqueue(
    told, jsonb_build_object('jobId', run_id::text, 'type', type, 'payload', payload),
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
    SELECT r.id, r.status, r.attempts, r.snoozes, r.releases, (r.terms ->> 'expiresAt')::timestamptz AS expires_at
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
      AND (l.id IS NULL OR l.expires_at > now() OR (l.status = 'running' AND l.attempts = 1 AND l.snoozes = 0
        AND l.releases IS NULL))
    ON CONFLICT DO NOTHING
  )
  SELECT array_agg(l.id) INTO ended
  FROM locked l
  WHERE l.status = 'queued' AND l.attempts = 0 AND l.snoozes = 0 AND l.releases IS NULL AND l.expires_at <= now();
  IF ended IS NULL THEN RETURN; END IF;
  WITH r AS (DELETE FROM duework.job_runs j WHERE j.id = ANY(ended) RETURNING j.*),
  recorded AS (
    INSERT INTO duework.job_history (
      id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence,
      created_at, meta, gates, gate_units, terms, finished_at, status, error_code, cancel_requested_at,
      cancel_requested_by, cancel_reason
    )
    SELECT r.id, r.queue, r.job_type, r.job_version, r.priority, r.run_at, r.payload, r.idempotency_key, r.attempts,
      r.max_attempts, r.fence, r.created_at, r.meta, r.gates, r.gate_units, r.terms, now(), 'cancelled', 'expired', now(),
      'expiry', 'It had not started in time: before ' || (r.terms ->> 'expiresAt')
    FROM r
  ),
  told AS (
    SELECT duework.tell_expired(r.id, r.job_type, r.payload, r.terms ->> 'onExpired') FROM r WHERE r.terms ? 'onExpired'
  )
  SELECT array_agg(r.id), array_agg(r.job_type) INTO ids, types
  -- named, so that it is evaluated
  FROM r LEFT JOIN (SELECT count(*) FROM told) AS t ON true;
END
$$;

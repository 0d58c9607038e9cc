-- Events: what is published, and who gets a job of it.
--
-- A subscriber is a type of job whose row in job_definitions names the event. Workers write that row when they start, and
-- a deploy may before; so whoever publishes, in any language, need not know who subscribes. Each subscriber gets its job
-- in the publisher's transaction, with the payload of the event.

-- What was published, where its event says that it is kept, or it has a key.
CREATE SEQUENCE duework.published_events_id_seq AS bigint;
CREATE TABLE duework.published_events (
  id           bigint NOT NULL DEFAULT nextval('duework.published_events_id_seq'),
  event        text COLLATE "C" NOT NULL,
  version      integer     NOT NULL,
  -- the business event's key, for which there is one; null: none
  key          text COLLATE "C",
  -- null: only its key is kept
  payload      jsonb,
  meta         jsonb,
  -- who has had it, and as which job: {"send_receipt": "2043…"}
  jobs         jsonb       NOT NULL DEFAULT '{}',
  published_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  CONSTRAINT published_events_pkey PRIMARY KEY (id)
);
ALTER SEQUENCE duework.published_events_id_seq OWNED BY duework.published_events.id;
CREATE UNIQUE INDEX published_events_key_idx ON duework.published_events (event, key) WHERE key IS NOT NULL;
-- replay_events
CREATE INDEX published_events_event_published_at_id_idx ON duework.published_events (event, published_at, id);
CREATE INDEX published_events_expires_at_idx ON duework.published_events (expires_at);
COMMENT ON TABLE duework.published_events IS 'Published events that are kept, or have a key, and who has had them';

-- The value that makes a subscriber's runs one of a kind, as a key: toKey of contracts.
CREATE FUNCTION duework.unique_key(type text, payload jsonb, path text[]) RETURNS text
LANGUAGE plpgsql
IMMUTABLE
AS $$
DECLARE
  value jsonb := payload #> path;
  told  text := value #>> '{}';
BEGIN
  IF told IS NULL THEN RETURN '-'; END IF;
  IF jsonb_typeof(value) IN ('object', 'array') THEN
    RAISE EXCEPTION 'The payload for % has an % at %, which makes it one of a kind: a text, a number or a boolean is needed.',
      type, jsonb_typeof(value), array_to_string(path, '.')
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  IF jsonb_typeof(value) = 'number' THEN RETURN trim_scale(told::numeric)::text; END IF;
  RETURN duework.shorten_key(CASE WHEN told ~ '^-*$' THEN '--' || told ELSE told END);
END
$$;

-- The run that a subscriber gets of an event, as write_unique takes it. `at`: when it is due; null: as its subscription
-- says, from now on.
CREATE FUNCTION duework.run_of_event(
  d duework.job_definitions, version integer, payload jsonb, meta jsonb, at timestamptz
) RETURNS jsonb
LANGUAGE sql
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'type', (d).type, 'version', run_of_event.version, 'queue', (d).queue, 'priority', (d).priority,
    'maxAttempts', (d).max_attempts, 'at', at, 'delayMs', CASE WHEN at IS NULL THEN (d).subscription -> 'delayMs' ELSE '0' END,
    'key', CASE WHEN (d).unique_rule IS NOT NULL THEN duework.unique_key(
      (d).type, run_of_event.payload, ARRAY(SELECT jsonb_array_elements_text((d).subscription -> 'by'))
    ) END,
    'windowMs', (d).key_window_ms, 'meta', meta, 'rule', (d).unique_rule,
    'flow', nullif(
      coalesce(duework.gates_of((d).type, (d).flow, run_of_event.payload, (d).queue), '{}')
        || jsonb_strip_nulls(jsonb_build_object('terms', (d).terms)),
      '{}'
    )
  )) || jsonb_build_object('payload', run_of_event.payload)
$$;

-- Publishes an event that its publisher has checked: a run for each type that subscribes, in one order by everybody, so
-- that two publishers cannot wait for each other. Where `key` is given, the event is one: an earlier one answers, and
-- one that an open transaction publishes is waited for. `keep_ms`: how long it is kept for replay_events; null: not at
-- all; a key holds for a week, or as long.
--
-- Answers {"id": of what is kept, or null, "isDeduplicated", "jobs": {type: id}}.
CREATE FUNCTION duework.publish_1(
  event text, version integer, payload jsonb, key text, keep_ms double precision, meta jsonb
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  new_id   bigint;
  earlier  record;
  each     record;
  made     jsonb := '{}';
  kept     jsonb := CASE WHEN keep_ms IS NOT NULL THEN payload END;
  end_at   timestamptz := now()
    + greatest(keep_ms, CASE WHEN key IS NOT NULL THEN 604800000 END) * interval '1 millisecond';
BEGIN
  IF publish_1.key IS NOT NULL THEN
    SELECT p.id, p.jobs INTO earlier FROM duework.published_events p
    WHERE p.event = publish_1.event AND p.key = publish_1.key AND p.expires_at > now();
    IF NOT FOUND THEN
      new_id := nextval('duework.published_events_id_seq');
      -- updates even when nothing changes, because DO NOTHING would not wait for the transaction that holds the key
      INSERT INTO duework.published_events AS p (id, event, version, key, payload, meta, expires_at)
      VALUES (new_id, publish_1.event, publish_1.version, publish_1.key, kept, publish_1.meta, end_at)
      ON CONFLICT (event, key) WHERE key IS NOT NULL DO UPDATE SET
        id = CASE WHEN p.expires_at <= now() THEN excluded.id ELSE p.id END,
        version = CASE WHEN p.expires_at <= now() THEN excluded.version ELSE p.version END,
        payload = CASE WHEN p.expires_at <= now() THEN excluded.payload ELSE p.payload END,
        meta = CASE WHEN p.expires_at <= now() THEN excluded.meta ELSE p.meta END,
        jobs = CASE WHEN p.expires_at <= now() THEN excluded.jobs ELSE p.jobs END,
        published_at = CASE WHEN p.expires_at <= now() THEN excluded.published_at ELSE p.published_at END,
        expires_at = CASE WHEN p.expires_at <= now() THEN excluded.expires_at ELSE p.expires_at END
      RETURNING p.id, p.jobs INTO earlier;
    END IF;
    IF earlier.id IS DISTINCT FROM new_id THEN
      RETURN json_build_object('id', earlier.id::text, 'isDeduplicated', true, 'jobs', earlier.jobs);
    END IF;
  END IF;
  FOR each IN
    SELECT d.type, d.queue, d.subscription ->> 'delayMs' = '0' AS is_due,
      duework.run_of_event(d, publish_1.version, publish_1.payload, publish_1.meta, NULL) AS run
    FROM duework.job_definitions d
    WHERE d.event = publish_1.event AND d.subscription IS NOT NULL
    ORDER BY d.type
  LOOP
    made := made || jsonb_build_object(each.type,
      duework.write_unique(each.run, duework.hint_of(each.queue, each.is_due)) ->> 'id');
  END LOOP;
  IF new_id IS NOT NULL THEN
    UPDATE duework.published_events p SET jobs = made WHERE p.id = new_id;
  ELSIF keep_ms IS NOT NULL THEN
    INSERT INTO duework.published_events (event, version, payload, meta, jobs, expires_at)
    VALUES (publish_1.event, publish_1.version, kept, publish_1.meta, made, end_at)
    RETURNING id INTO new_id;
  END IF;
  RETURN json_build_object('id', new_id::text, 'isDeduplicated', false, 'jobs', made);
END
$$;

-- What publish does in TypeScript, for triggers, other languages and a session of psql. It knows an event from the types
-- that subscribe to it, or once did. `version`: of the event for which the payload was written.
CREATE FUNCTION duework.publish(
  event text,
  payload jsonb,
  idempotency_key text DEFAULT NULL,
  version integer DEFAULT NULL,
  meta jsonb DEFAULT NULL,
  OUT id bigint,
  OUT is_deduplicated boolean,
  OUT jobs jsonb
)
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  known  record;
  answer jsonb;
BEGIN
  SELECT max(d.version) AS newest, min(coalesce(d.oldest_version, d.version)) AS oldest, max(d.event_keep_ms) AS keep_ms,
    coalesce(bool_or(d.requires_encryption), false) AS is_sealed,
    (array_agg(d.payload_schema ORDER BY d.version DESC))[1] AS schema
  INTO known FROM duework.job_definitions d WHERE d.event = publish.event;
  IF known.newest IS NULL THEN
    RAISE EXCEPTION 'There is no event %. Known: %.', coalesce(to_json(left(publish.event, 100))::text, 'null'),
      (SELECT coalesce(left(string_agg(DISTINCT d.event, ', ' ORDER BY d.event), 1000), 'none') FROM duework.job_definitions d)
      USING ERRCODE = '22W14', DETAIL = 'unknown_event', HINT = 'A worker makes its events known when it starts.';
  END IF;
  IF publish.version NOT BETWEEN known.oldest AND known.newest THEN
    RAISE EXCEPTION 'The payload was written for version % of %; % to % are known.',
      publish.version, publish.event, known.oldest, known.newest
      USING ERRCODE = '22W07', DETAIL = 'unknown_job_version', HINT = 'A worker makes its versions known when it starts.';
  END IF;
  IF publish.payload IS NULL THEN
    RAISE EXCEPTION 'A % needs a payload.', publish.event
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload', HINT = 'Give payload => jsonb_build_object(…).';
  END IF;
  IF length(publish.idempotency_key) = 0 THEN
    RAISE EXCEPTION 'The idempotency key of a % is empty.', publish.event
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  IF known.is_sealed THEN
    RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', publish.event
      USING ERRCODE = '22W08', DETAIL = 'key_ring_missing',
        HINT = 'Publish it in TypeScript, in a process that has a key ring.';
  END IF;
  IF EXISTS (SELECT FROM duework.objects_in(publish.payload)) THEN
    RAISE EXCEPTION 'The payload of a % names an object, and nothing would keep that for its jobs.', publish.event
      USING ERRCODE = '22W02', DETAIL = 'object_not_kept', HINT = 'Enqueue a job with it, or keep a file elsewhere.';
  END IF;
  PERFORM duework.check_meta(publish.meta);
  PERFORM duework.check_payload(
    publish.event, publish.payload, CASE WHEN coalesce(publish.version, known.newest) = known.newest THEN known.schema END
  );
  answer := duework.publish_1(
    publish.event, coalesce(publish.version, known.newest), publish.payload,
    duework.shorten_key(publish.idempotency_key), known.keep_ms, nullif(publish.meta, '{}')
  );
  id := answer ->> 'id';
  is_deduplicated := answer ->> 'isDeduplicated';
  jobs := answer -> 'jobs';
END
$$;

-- Gives a type that subscribes the kept events of a time that it has not had: at most `portion` of them, the oldest
-- first. Returns how many, and from which moment to go on; null: there is none left. Whoever does the same meanwhile
-- waits for the rows, and then passes them.
CREATE FUNCTION duework.replay_events(
  of_event text, to_type text, from_at timestamptz, until_at timestamptz, portion integer,
  OUT replayed integer, OUT next_at timestamptz
)
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  d    duework.job_definitions;
  each record;
  job  text;
BEGIN
  replayed := 0;
  SELECT x.* INTO d FROM duework.job_definitions x
  WHERE x.type = to_type AND x.event = of_event AND x.subscription IS NOT NULL;
  IF NOT FOUND THEN RETURN; END IF;
  FOR each IN
    SELECT p.* FROM duework.published_events p
    WHERE p.event = of_event AND p.published_at >= from_at AND p.published_at < until_at
      AND p.payload IS NOT NULL AND NOT p.jobs ? to_type
    ORDER BY p.published_at, p.id LIMIT portion
    FOR UPDATE
  LOOP
    -- not before what waits now
    job := duework.write_unique(duework.run_of_event(d, each.version, each.payload, each.meta, greatest(
      now(), each.published_at + (d.subscription ->> 'delayMs')::float8 * interval '1 millisecond'
    )), NULL) ->> 'id';
    UPDATE duework.published_events p SET jobs = p.jobs || jsonb_build_object(to_type, job) WHERE p.id = each.id;
    replayed := replayed + 1;
    next_at := each.published_at;
  END LOOP;
  IF replayed > 0 THEN PERFORM duework.notify('duework_wake', d.queue); END IF;
  IF replayed < portion THEN next_at := NULL; END IF;
END
$$;

REVOKE ALL ON FUNCTION duework.publish, duework.publish_1, duework.run_of_event, duework.replay_events FROM PUBLIC;

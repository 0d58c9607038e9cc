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

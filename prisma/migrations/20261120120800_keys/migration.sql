-- Keys of the API: who may call it, and the answers that a repeated call gets again.

-- A key is kept as the hash of its secret, so that what is stolen from here opens nothing.
CREATE TABLE duework.api_keys (
  -- public: the part of the key that names it, in logs and lists
  id           text COLLATE "C" NOT NULL,
  name         text COLLATE "C" NOT NULL,
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
      ~ '^(enqueue(:[A-Za-z][A-Za-z0-9_.-]{0,62})?|type:[A-Za-z][A-Za-z0-9_.-]{0,62}|signal|approve|read|payloads|sensitive|operate|schedules|admin)(,(enqueue(:[A-Za-z][A-Za-z0-9_.-]{0,62})?|type:[A-Za-z][A-Za-z0-9_.-]{0,62}|signal|approve|read|payloads|sensitive|operate|schedules|admin))*$'
  ),
  CONSTRAINT api_keys_revoked_check CHECK (revoked_by IS NULL OR revoked_at IS NOT NULL)
);

-- The audit names a key by its name, so two that work never share one.
CREATE UNIQUE INDEX api_keys_name_idx ON duework.api_keys (name) WHERE revoked_at IS NULL;

-- Whoever can read this table learns who may call, never with what; still, only its owner needs it.
REVOKE ALL ON duework.api_keys FROM PUBLIC;

-- Answers to HTTP requests that had an Idempotency-Key: for a day, the same request is answered with the first answer
-- again.
CREATE TABLE duework.kept_answers (
  -- who asked; two who choose the same key do not meet
  principal   text COLLATE "C" NOT NULL,
  key         text COLLATE "C" NOT NULL,
  -- of the method, the path and the body
  fingerprint text NOT NULL,
  status      integer NOT NULL,
  headers     jsonb NOT NULL,
  body        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT kept_answers_pkey PRIMARY KEY (principal, key)
);
CREATE INDEX kept_answers_created_at_idx ON duework.kept_answers (created_at);

-- Takes the key for this transaction. {"state": "free"}: the caller acts now, and keeps its answer with keep_answer.
-- "kept": the answer that was given before, with its status, headers and body. "other_request": the key was used for
-- another one. "in_flight": another transaction has the key and has not ended; nobody waits for it.
--
-- The lock ends with its transaction, so a program that dies in between leaves nothing behind. The row is looked up
-- after the lock was taken, with a snapshot of its own: it is there if the transaction that had the lock before has
-- committed one.
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
  IF NOT pg_try_advisory_xact_lock(hashtext('duework.kept_answers'),
    hashtext(take_answer.principal || E'\n' || take_answer.key)) THEN
    RETURN json_build_object('state', 'in_flight');
  END IF;
  SELECT a.* INTO kept FROM duework.kept_answers a
  WHERE a.principal = take_answer.principal AND a.key = take_answer.key AND a.created_at > now() - interval '1 day';
  IF kept.key IS NULL THEN RETURN json_build_object('state', 'free'); END IF;
  IF kept.fingerprint <> take_answer.fingerprint THEN RETURN json_build_object('state', 'other_request'); END IF;
  RETURN json_build_object('state', 'kept', 'status', kept.status, 'headers', kept.headers, 'body', kept.body);
END
$$;

-- Keeps the answer of a request that took its key in this transaction; one that is older than a day gives way.
CREATE FUNCTION duework.keep_answer(principal text, key text, fingerprint text, status integer, headers jsonb,
  body text) RETURNS void
LANGUAGE sql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO duework.kept_answers AS a (principal, key, fingerprint, status, headers, body)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT kept_answers_pkey DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
    created_at = now()
$$;

-- Deletes answers that are older than a day, at most `batch`; returns how many.
CREATE FUNCTION duework.prune_answers(batch integer) RETURNS integer
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

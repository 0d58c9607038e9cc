-- Who may call the API: a key is kept as the hash of its secret, so that what is stolen from here opens nothing.

CREATE TABLE duework.api_keys (
  -- public: the part of the key that names it, in logs and lists
  id           text        NOT NULL,
  name         text        NOT NULL,
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
      ~ '^(enqueue(:[a-z][a-z0-9_]{0,62})?|read|payloads|sensitive|operate|schedules|admin)(,(enqueue(:[a-z][a-z0-9_]{0,62})?|read|payloads|sensitive|operate|schedules|admin))*$'
  ),
  CONSTRAINT api_keys_revoked_check CHECK (revoked_by IS NULL OR revoked_at IS NOT NULL)
);

-- The audit names a key by its name, so two that work never share one.
CREATE UNIQUE INDEX api_keys_name_idx ON duework.api_keys (name) WHERE revoked_at IS NULL;

-- Whoever can read this table learns who may call, never with what; still, only its owner needs it.
REVOKE ALL ON duework.api_keys FROM PUBLIC;

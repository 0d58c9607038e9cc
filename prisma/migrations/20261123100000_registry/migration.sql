-- Every version of every contract that was ever pushed or run here, with its schema: what other services can check against, and
-- what a deploy may not change any more. Workers write it when they start, and a deploy may before.

CREATE TABLE duework.job_contracts (
  type           text        NOT NULL,
  version        integer     NOT NULL,
  -- JSON Schema, draft 2020-12, of what a producer may send
  payload_schema jsonb       NOT NULL,
  -- SHA-256 of the schema as text with sorted keys, so that a start compares a line for each version, and no schemas
  checksum       text        NOT NULL,
  first_seen_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_contracts_pkey PRIMARY KEY (type, version),
  CONSTRAINT job_contracts_type_check CHECK (type ~ '^[a-z][a-z0-9_]{0,62}$' AND version >= 1),
  CONSTRAINT job_contracts_checksum_check CHECK (checksum ~ '^[0-9a-f]{64}$')
);

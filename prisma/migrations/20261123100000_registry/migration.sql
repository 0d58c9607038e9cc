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

-- The next live runs behind an id, by id, for whoever reads all of them: at most `batch`, and no more than `bytes` of payloads as
-- they are stored, beside the first. The settings leave the planner no way but along the ids: with others it would look at all that
-- is left each time.
CREATE FUNCTION duework.read_payloads(after_id bigint, last_id bigint, batch integer, bytes bigint)
RETURNS TABLE (id bigint, job_type text, job_version integer, payload jsonb)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  SELECT b.id, b.job_type, b.job_version, b.payload
  FROM (
    SELECT r.*, sum(pg_column_size(r.payload)) OVER (ORDER BY r.id ROWS UNBOUNDED PRECEDING) - pg_column_size(r.payload) AS bytes_before
    FROM (
      SELECT j.id, j.job_type, j.job_version, j.payload
      FROM duework.job_runs AS j
      WHERE j.id > after_id AND j.id <= last_id
      ORDER BY j.id
      LIMIT batch
    ) r
  ) b
  WHERE b.bytes_before < bytes
$$;

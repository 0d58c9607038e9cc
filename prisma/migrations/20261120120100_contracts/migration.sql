-- Contracts, as the database knows them: workers write them when they start, and a deploy may before. What enqueues
-- in SQL, shows a payload or checks another program's contract reads them here, without the code that defines them.

-- What each type is by its newest contract: one row for each.
CREATE TABLE duework.job_definitions (
  type            text COLLATE "C" NOT NULL,
  version         integer     NOT NULL,
  queue           text        NOT NULL,
  priority        smallint    NOT NULL,
  max_attempts    integer     NOT NULL,
  timeout_ms      double precision NOT NULL,
  lease_ms        double precision NOT NULL,
  retry           jsonb       NOT NULL,
  payload_schema  jsonb       NOT NULL,
  default_payload jsonb,
  -- payloads of this version up to `version` can be read; null: of `version` only
  oldest_version  integer,
  -- the contract makes a key from each payload, in its own code; true where the program that wrote the row does not say
  has_key         boolean     NOT NULL DEFAULT true,
  -- how long a key holds; null: as long as its run is kept
  key_window_ms   bigint,
  -- pointers to the sensitive values of payloads of every version that can be read, and of results: whoever shows
  -- payloads without the program that defines them hides these
  sensitive           text[]  NOT NULL DEFAULT '{}',
  sensitive_result    text[]  NOT NULL DEFAULT '{}',
  -- a payload that is not encrypted is refused
  requires_encryption boolean NOT NULL DEFAULT false,
  -- a run that stopping workers have given back more often than this is an alert
  alert_after_releases integer NOT NULL DEFAULT 5,
  -- the flow rules at which its runs stand in line, in the order in which they are asked:
  -- [{"rule": "limit/send_mail.accountId", "by": ["accountId"], "units": 1, or the path of a number}, …]; null: none
  flow                jsonb,
  -- a rule's value or units are made in the contract's own code, so that nothing but that code can enqueue it
  has_gate_code       boolean NOT NULL DEFAULT false,
  -- its rules make other gates since a deploy, and of its runs that wait those up to this id have theirs anew; null: all
  -- have, see take_gates
  gates_after         bigint,
  -- who gives them, and when it was heard of last
  gates_by            text,
  gates_at            timestamptz,
  -- a run that has waited longer than this is taken before others; null: never
  max_wait_ms         double precision,
  -- what is agreed for its runs, as enqueue_1 takes it: {"expiresAfterMs": …, "onExpired": type, "onDead": type,
  -- "retryForMs": …}; null: nothing
  terms               jsonb,
  -- the queues that an enqueue may name; null: its own one alone
  queues              text[],
  -- what a key makes one of a kind, and what a second one does, as write_unique takes it; null: the first one stays
  unique_rule         jsonb,
  -- what a worker must have to run it
  labels              text[]  NOT NULL DEFAULT '{}',
  -- of a subscriber: the event whose payload its runs have, how long that is kept, and how a run is made of it:
  -- {"delayMs": 0, "by": the path of its unique key}; null: no event makes one
  event           text COLLATE "C",
  event_keep_ms   bigint,
  subscription    jsonb,
  -- for how many days a run is kept that has ended, and one that is dead; null: as the workers keep others
  keep_days           integer,
  dead_days           integer,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_definitions_pkey PRIMARY KEY (type),
  CONSTRAINT job_definitions_type_check CHECK (type ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$'),
  CONSTRAINT job_definitions_limits_check CHECK (
    version >= 1 AND priority BETWEEN 0 AND 9 AND max_attempts >= 1 AND timeout_ms >= 1 AND lease_ms >= 1000
      AND coalesce(least(keep_days, dead_days), 1) >= 1
  )
);

-- Every version of every contract that was ever pushed or run here, with its schema: what other services can check
-- against, and what a deploy may not change any more.
CREATE TABLE duework.job_contracts (
  type           text COLLATE "C" NOT NULL,
  version        integer     NOT NULL,
  -- JSON Schema, draft 2020-12, of what a producer may send
  payload_schema jsonb       NOT NULL,
  -- SHA-256 of the schema as text with sorted keys, so that a start compares a line for each version, and no schemas
  checksum       text        NOT NULL,
  first_seen_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_contracts_pkey PRIMARY KEY (type, version),
  CONSTRAINT job_contracts_type_check CHECK (type ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$' AND version >= 1),
  CONSTRAINT job_contracts_checksum_check CHECK (checksum ~ '^[0-9a-f]{64}$')
);

-- The next live runs behind an id, by id, for whoever reads all of them: at most `batch`, and no more than `bytes` of
-- payloads as they are stored, beside the first. The settings leave the planner no way but along the ids: with others
-- it would look at all that is left each time.
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
    SELECT r.*,
      sum(pg_column_size(r.payload)) OVER (ORDER BY r.id ROWS UNBOUNDED PRECEDING) - pg_column_size(r.payload)
        AS bytes_before
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

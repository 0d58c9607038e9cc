-- Several databases with one queue over them: which of them this one is, and what has come from another one.

CREATE TABLE duework.shard (
  is_only    boolean     NOT NULL DEFAULT true,
  name       text        NOT NULL,
  founded_at timestamptz NOT NULL DEFAULT now(),
  -- since when no new job comes here unless its caller asks for this shard
  closed_at  timestamptz,
  CONSTRAINT shard_pkey PRIMARY KEY (is_only),
  CONSTRAINT shard_is_only_check CHECK (is_only),
  CONSTRAINT shard_name_check CHECK (name ~ '^[a-z][a-z0-9_]{0,15}$')
);
COMMENT ON TABLE duework.shard IS 'Which of several databases this one is; without a row it is the only one';

-- The id of a job as those outside of this database know it.
CREATE FUNCTION duework.outer_id(of_id bigint) RETURNS text
LANGUAGE sql
STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce((SELECT s.name || '.' FROM duework.shard AS s), '') || of_id
$$;
COMMENT ON FUNCTION duework.outer_id(bigint) IS 'The id of a job with the name of its shard, where this database is one';

-- Jobs that another shard has forwarded, so that a forward whose answer was lost makes no second one.
CREATE TABLE duework.carried_jobs (
  from_shard text        NOT NULL,
  forward_id bigint      NOT NULL,
  run_id     bigint      NOT NULL,
  carried_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT carried_jobs_pkey PRIMARY KEY (from_shard, forward_id)
);
COMMENT ON TABLE duework.carried_jobs IS 'Which job a forward of another shard has become here';
-- What is old enough to go.
CREATE INDEX carried_jobs_carried_at_idx ON duework.carried_jobs (carried_at);

-- The name of this database for what is no database: it goes into the ids of the jobs that its forwards become there, so
-- that two databases that forward into one Redis have none in common. Written when it is first asked for, so that two
-- databases that were made from one template have different ones; a dump takes it along.
CREATE TABLE duework.origin (
  is_only boolean NOT NULL DEFAULT true,
  name    text    NOT NULL DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12),
  CONSTRAINT origin_pkey PRIMARY KEY (is_only),
  CONSTRAINT origin_is_only_check CHECK (is_only)
);
COMMENT ON TABLE duework.origin IS 'The name by which a dedicated queue knows the forwards of this database';

-- What handlers have done, so that another attempt of their run goes on behind it.

-- A step of a run: written when it has ended, with its result, and never changed: of two claims that have done the same
-- step the first one's row stays. The rows of live runs are kept; those of finished ones go with their history.
CREATE TABLE duework.job_steps (
  run_id    bigint      NOT NULL,
  name      text        NOT NULL,
  -- failed: it threw, its handler caught that and went on, so that it throws the same in each attempt that follows
  status    text        NOT NULL DEFAULT 'done',
  -- counted per run: when it was first asked for, and when it ended. Attempts that follow get the results in that order
  asked_seq integer     NOT NULL,
  done_seq  integer     NOT NULL,
  -- those that had been asked for, and had not ended, when it ended
  open      text[]      NOT NULL DEFAULT '{}',
  result    jsonb,
  -- {code, type, message} of what a failed one threw
  error     jsonb,
  fence     bigint      NOT NULL,
  done_at   timestamptz NOT NULL DEFAULT now(),
  -- as in job_keys
  needed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_steps_pkey PRIMARY KEY (run_id, name),
  CONSTRAINT job_steps_status_check CHECK (status IN ('done', 'failed')),
  CONSTRAINT job_steps_error_check CHECK ((status = 'failed') = (error IS NOT NULL))
) WITH (
  -- prune_with_runs changes needed_at of what is still needed
  fillfactor = 90,
  -- as for job_keys
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 5000
);
COMMENT ON TABLE duework.job_steps IS 'What the handlers of runs have done, with its results';
-- prune_with_runs: steps whose run may be gone.
CREATE INDEX job_steps_needed_at_idx ON duework.job_steps (needed_at);

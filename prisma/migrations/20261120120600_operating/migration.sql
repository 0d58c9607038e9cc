-- Operating: what people and programs change by hand (pauses, actions on many jobs) and the record of it.

-- What operators did: one row for each change that a person, a command or a program made by hand, written by the
-- statement (or in the transaction) that changes it. What no operator does (claims, settlements, ticks) is not here.
CREATE TABLE duework.audit_entries (
  id           bigint      GENERATED ALWAYS AS IDENTITY,
  at           timestamptz NOT NULL DEFAULT now(),
  -- `key:deploy`, `person:ana@example.org`, `command:root@host1`, `program`
  by           text COLLATE "C" NOT NULL,
  -- through what: the API, the command, or a function that a program called
  via          text        NOT NULL,
  from_address text,
  verb         text        NOT NULL,
  -- what was changed, `job` or `schedule`, and its id or key
  kind         text COLLATE "C" NOT NULL,
  target       text COLLATE "C" NOT NULL,
  -- what has changed, as it was and as it became; never the value of a payload's field
  before       jsonb,
  after        jsonb,
  reason       text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_via_check CHECK (via IN ('api', 'command', 'program')),
  CONSTRAINT audit_entries_texts_check CHECK (
    char_length(by) >= 1 AND char_length(by) <= 1000 AND char_length(reason) <= 1000 AND char_length(from_address) <= 100
    AND verb ~ '^[a-z][a-z_]{0,62}$' AND kind ~ '^[a-z][a-z_]{0,62}$' AND char_length(target) BETWEEN 1 AND 255
  )
);

-- a page of the audit, newest first, and retention
CREATE INDEX audit_entries_at_idx ON duework.audit_entries (at, id);
-- what happened to one job, schedule, queue
CREATE INDEX audit_entries_target_idx ON duework.audit_entries (kind, target, at, id);
-- what one person did
CREATE INDEX audit_entries_by_idx ON duework.audit_entries (by, at, id);

-- Refuses what would change the past. Only duework.prune_audit may delete, and not even it what is younger than 30
-- days.
CREATE FUNCTION duework.keep_audit() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'DELETE' AND coalesce(current_setting('duework.prunes_audit', true), '') = 'on' THEN
    IF TG_LEVEL = 'STATEMENT' THEN RETURN NULL; END IF;
    IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'The audit is only ever added to: % of % is refused.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '0A000', HINT = 'duework.prune_audit removes what is old enough.';
END
$$;

CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON duework.audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();
-- behind the statement's: whoever sets the setting by hand still deletes nothing that is young
CREATE TRIGGER audit_entries_keep_young BEFORE DELETE ON duework.audit_entries
  FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

-- Deletes at most `batch` entries that are older than `keep_days`, 30 at the least; returns how many. It runs as its
-- owner, so that the application's role needs no right to delete.
CREATE FUNCTION duework.prune_audit(keep_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  gone integer;
BEGIN
  -- a clause of the function would need a role that may set any parameter
  PERFORM set_config('duework.prunes_audit', 'on', true);
  DELETE FROM duework.audit_entries
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.audit_entries
    WHERE at < now() - greatest(30, keep_days) * interval '1 day'
    ORDER BY at
    LIMIT batch
    FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('duework.prunes_audit', '', true);
  RETURN gone;
END
$$;

-- What is done to many jobs at once, in the background: one row for each action, moved on by short statements that
-- any process may send.
CREATE TABLE duework.bulk_actions (
  id           bigint      GENERATED ALWAYS AS IDENTITY,
  verb         text        NOT NULL,
  -- as it was typed; '' for an undo
  filter       text        NOT NULL,
  -- of edit_payload: the only type whose payloads it edits, so that whoever lacks its contract leaves it to others
  job_type     text,
  options      jsonb       NOT NULL,
  undo_of      bigint,
  status       text        NOT NULL DEFAULT 'running',
  by           text        NOT NULL,
  via          text        NOT NULL,
  from_address text,
  reason       text,
  -- how many jobs fitted when it began; `total_is_at_least`: there were more than were counted
  total        bigint      NOT NULL,
  total_is_at_least boolean NOT NULL,
  done         bigint      NOT NULL DEFAULT 0,
  -- how many were refused, by code
  refused      jsonb       NOT NULL DEFAULT '{}',
  -- where the next step begins: behind this id, in this part of the jobs; jobs with an id over last_id came later
  stage        text        NOT NULL,
  after_id     bigint      NOT NULL DEFAULT 0,
  last_id      bigint      NOT NULL,
  per_second   integer     NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  next_step_at timestamptz NOT NULL DEFAULT now(),
  finished_at  timestamptz,
  CONSTRAINT bulk_actions_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_actions_status_check CHECK (
    status IN ('running', 'finished', 'aborted') AND (status = 'running') = (finished_at IS NULL)
  ),
  CONSTRAINT bulk_actions_undo_check CHECK ((verb = 'undo') = (undo_of IS NOT NULL)),
  CONSTRAINT bulk_actions_rate_check CHECK (per_second BETWEEN 1 AND 1000000)
);

-- what is to be done, which every worker asks for each second
CREATE INDEX bulk_actions_running_idx ON duework.bulk_actions (next_step_at) WHERE status = 'running';
-- an action is undone once
CREATE UNIQUE INDEX bulk_actions_undo_of_idx ON duework.bulk_actions (undo_of) WHERE undo_of IS NOT NULL;

-- Which jobs an action has changed, a row for each step: with it the audit tells what was done to one job, at the
-- cost of 200 rows for 200,000 jobs. It is added to only, like the audit.
CREATE TABLE duework.bulk_action_runs (
  bulk_action_id bigint      NOT NULL,
  first_id       bigint      NOT NULL,
  last_id        bigint      NOT NULL,
  run_ids        bigint[]    NOT NULL,
  at             timestamptz NOT NULL DEFAULT now(),
  stage          text COLLATE "C" NOT NULL,
  CONSTRAINT bulk_action_runs_pkey PRIMARY KEY (bulk_action_id, stage, first_id)
);
CREATE INDEX bulk_action_runs_ids_idx ON duework.bulk_action_runs (last_id, first_id);
CREATE INDEX bulk_action_runs_at_idx ON duework.bulk_action_runs (at);
CREATE TRIGGER bulk_action_runs_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON duework.bulk_action_runs
  FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();
CREATE TRIGGER bulk_action_runs_keep_young BEFORE DELETE ON duework.bulk_action_runs
  FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

-- What an undo needs to know of each job: what it was, and how the action left it. Deleted an hour after the action's
-- end; of an edited payload it holds the old value, which is why it is no part of the audit.
CREATE TABLE duework.bulk_undos (
  bulk_action_id bigint NOT NULL,
  run_id         bigint NOT NULL,
  fence          bigint NOT NULL,
  was            jsonb  NOT NULL,
  as_left        jsonb  NOT NULL,
  CONSTRAINT bulk_undos_pkey PRIMARY KEY (bulk_action_id, run_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- Deletes at most `batch` lists of jobs that bulk actions changed, and the actions themselves, older than
-- `keep_days`, 30 at the least; returns how many lists.
CREATE FUNCTION duework.prune_bulk_actions(keep_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  oldest CONSTANT timestamptz := now() - greatest(30, keep_days) * interval '1 day';
  gone integer;
BEGIN
  -- a clause of the function would need a role that may set any parameter
  PERFORM set_config('duework.prunes_audit', 'on', true);
  DELETE FROM duework.bulk_action_runs
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.bulk_action_runs WHERE at < oldest ORDER BY at LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM duework.bulk_actions WHERE finished_at < oldest;
  PERFORM set_config('duework.prunes_audit', '', true);
  RETURN gone;
END
$$;

-- They run with their owner's rights, and delete from what the application's role may only add to: `duework roles` says who
-- calls them.
REVOKE ALL ON FUNCTION duework.prune_audit, duework.prune_bulk_actions, duework.keep_audit FROM PUBLIC;

-- Queues and types of which no run is claimed until somebody resumes them, or their end has passed. Every claim looks
-- at this table, so it is kept to the pauses that hold: a resume deletes its row, and so does the maintenance of
-- pauses that have ended.
CREATE TABLE duework.pauses (
  kind    text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  since   timestamptz NOT NULL DEFAULT now(),
  -- null: until somebody resumes it
  until   timestamptz,
  by      text,
  reason  text,
  CONSTRAINT pauses_pkey PRIMARY KEY (kind, name),
  CONSTRAINT pauses_kind_check CHECK (kind IN ('queue', 'type')),
  CONSTRAINT pauses_span_check CHECK (isfinite(since) AND isfinite(until)),
  CONSTRAINT pauses_text_check CHECK (char_length(name) >= 1 AND char_length(name) <= 63 AND char_length(by) <= 1000
    AND char_length(reason) <= 1000)
-- vacuumed whenever a pause was resumed, so that the table is empty again, and costs claims nothing
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
COMMENT ON TABLE duework.pauses IS 'Queues and types of which nothing is claimed';

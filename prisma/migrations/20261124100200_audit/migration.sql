-- What operators did: one row for each change that a person, a command or a program made by hand, written by the statement (or in the
-- transaction) that changes it. What no operator does (claims, settlements, ticks) is not here.
CREATE TABLE duework.audit_entries (
  id           bigint      GENERATED ALWAYS AS IDENTITY,
  at           timestamptz NOT NULL DEFAULT now(),
  -- `key:deploy`, `person:ana@example.org`, `command:root@host1`, `program`
  by           text        NOT NULL,
  -- through what: the API, the command, or a function that a program called
  via          text        NOT NULL,
  from_address text,
  verb         text        NOT NULL,
  -- what was changed, `job` or `schedule`, and its id or key
  kind         text        NOT NULL,
  target       text        NOT NULL,
  -- what has changed, as it was and as it became; never the value of a payload's field
  before       jsonb,
  after        jsonb,
  reason       text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_via_check CHECK (via IN ('api', 'command', 'program')),
  CONSTRAINT audit_entries_texts_check CHECK (
    char_length(by) BETWEEN 1 AND 1000 AND char_length(reason) <= 1000 AND char_length(from_address) <= 100
    AND verb ~ '^[a-z][a-z_]{0,62}$' AND kind ~ '^[a-z][a-z_]{0,62}$' AND char_length(target) BETWEEN 1 AND 255
  )
);

-- a page of the audit, newest first, and retention
CREATE INDEX audit_entries_at_idx ON duework.audit_entries (at, id);
-- what happened to one job, schedule, queue
CREATE INDEX audit_entries_target_idx ON duework.audit_entries (kind, target, at, id);
-- what one person did
CREATE INDEX audit_entries_by_idx ON duework.audit_entries (by, at, id);

-- Refuses what would change the past. Only duework.retain_audit may delete, and not even it what is younger than 30 days.
CREATE FUNCTION duework.keep_audit() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  -- guard: audit-append-only
  IF TG_OP = 'DELETE' AND coalesce(current_setting('duework.retains_audit', true), '') = 'on' THEN
    IF TG_LEVEL = 'STATEMENT' THEN RETURN NULL; END IF;
    -- guard: audit-young
    IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
    -- guard end: audit-young
  END IF;
  RAISE EXCEPTION 'The audit is only ever added to: % of % is refused.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '0A000', HINT = 'duework.retain_audit removes what is old enough.';
  -- guard end: audit-append-only
END
$$;

CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON duework.audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();
-- behind the statement's: whoever sets the setting by hand still deletes nothing that is young
CREATE TRIGGER audit_entries_keep_young BEFORE DELETE ON duework.audit_entries
  FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

-- Deletes at most `batch` entries that are older than `keep_days`, 30 at the least; returns how many. It runs as its owner, so that the
-- application's role needs no right to delete.
CREATE FUNCTION duework.retain_audit(keep_days integer, batch integer) RETURNS integer
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
  PERFORM set_config('duework.retains_audit', 'on', true);
  DELETE FROM duework.audit_entries
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.audit_entries
    WHERE at < now() - greatest(30, keep_days) * interval '1 day'
    ORDER BY at
    LIMIT batch
    FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('duework.retains_audit', '', true);
  RETURN gone;
END
$$;

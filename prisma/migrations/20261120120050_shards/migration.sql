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
  from_shard text COLLATE "C" NOT NULL,
  forward_id bigint      NOT NULL,
  run_id     bigint      NOT NULL,
  carried_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT carried_jobs_pkey PRIMARY KEY (from_shard, forward_id)
);
COMMENT ON TABLE duework.carried_jobs IS 'Which job a forward of another shard has become here';
-- What is old enough to go.
CREATE INDEX carried_jobs_carried_at_idx ON duework.carried_jobs (carried_at);

-- What this database is to others. The name goes into the ids of the jobs that its forwards become in what is no
-- database, so that two databases that forward into one Redis have none in common. And where it lives, as
-- duework.place says, since a worker first started here: a dump takes both along, and so is known for what it is.
-- Written when it is first needed, so that databases that were made from one template have different ones.
CREATE TABLE duework.origin (
  is_only  boolean NOT NULL DEFAULT true,
  name     text    NOT NULL DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12),
  cluster  text,
  -- null: no worker has started yet
  database bigint,
  -- null: the server does not tell
  timeline integer,
  CONSTRAINT origin_pkey PRIMARY KEY (is_only),
  CONSTRAINT origin_is_only_check CHECK (is_only)
);
COMMENT ON TABLE duework.origin IS 'The name of this database for a dedicated queue, and where it lives';

-- Where a database lives: the number that initdb gave its cluster, null where the role may not ask, and its own one
-- there. A standby that takes over has the same; a restored dump, a database that was made from another one, and the
-- cluster of pg_upgrade have others.
CREATE FUNCTION duework.place(OUT cluster text, OUT database bigint, OUT timeline integer)
LANGUAGE plpgsql
STABLE
AS $$
BEGIN
  SELECT d.oid::bigint INTO database FROM pg_database d WHERE d.datname = current_database();
  BEGIN
    timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN OTHERS THEN
    -- a standby, or a server with no such files
    timeline := NULL;
  END;
  SELECT c.system_identifier::text INTO cluster FROM pg_control_system() c;
EXCEPTION WHEN insufficient_privilege THEN
  SELECT d.oid::bigint INTO database FROM pg_database d WHERE d.datname = current_database();
END
$$;

-- Why a database is not at home: `copied`, it lives elsewhere; `restored`, the server has begun another timeline, and no
-- worker has been here for ten minutes. Both a standby that takes over and a backup that is brought to a point in time
-- begin one, but in the former workers were there until a moment before. null: it is at home, or nobody can tell.
CREATE FUNCTION duework.why_not_at_home() RETURNS text
LANGUAGE plpgsql
STABLE
AS $$
BEGIN
  RETURN (
    SELECT CASE
      WHEN o.database <> p.database OR o.cluster <> p.cluster THEN 'copied'
      WHEN o.timeline <> p.timeline
        AND (SELECT max(c.taken_at) FROM duework.chores AS c) < now() - interval '10 minutes' THEN 'restored'
    END
    FROM duework.origin AS o CROSS JOIN duework.place() AS p
  );
END
$$;

-- Whether this database lives where was noted that it does; false: it may be a copy. Notes it where nobody has.
CREATE FUNCTION duework.is_at_home() RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  noted duework.origin;
  here  record;
BEGIN
  SELECT o.* INTO noted FROM duework.origin o;
  SELECT p.* INTO here FROM duework.place() p;
  IF noted.database IS NOT NULL THEN
    IF duework.why_not_at_home() IS NOT NULL THEN RETURN false; END IF;
    IF noted.timeline IS DISTINCT FROM here.timeline AND here.timeline IS NOT NULL THEN
      UPDATE duework.origin SET timeline = here.timeline;
    END IF;
    RETURN true;
  END IF;
  INSERT INTO duework.origin AS o (cluster, database, timeline) VALUES (here.cluster, here.database, here.timeline)
  ON CONFLICT (is_only) DO UPDATE SET cluster = excluded.cluster, database = excluded.database, timeline = excluded.timeline
  WHERE o.database IS NULL;
  RETURN true;
END
$$;

-- Makes a copy harmless, and at home here: whatever waits or runs is gone, nothing is about to be enqueued, and schedules
-- are paused. What is over stays. Answers how many jobs are gone, and how many schedules were paused. It runs as its
-- owner, because no role may empty tables.
CREATE FUNCTION duework.empty_copy(by text, via text, reason text, OUT jobs bigint, OUT schedules bigint)
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  here record;
BEGIN
  SELECT count(*) INTO jobs FROM duework.job_runs;
  TRUNCATE duework.job_runs, duework.expiries, duework.flow_keys, duework.flow_waits, duework.flow_looks,
    duework.flow_turns, duework.job_signals, duework.job_batch_changes, duework.released_runs,
    -- what other servers and other workers have left
    duework.workers, duework.worker_contracts, duework.schedule_declarations, duework.job_alerts, duework.xid_samples;
  UPDATE duework.job_batches SET settled_at = now(), callbacks = '{}' WHERE settled_at IS NULL;
  UPDATE duework.bulk_actions SET status = 'aborted', finished_at = now() WHERE status = 'running';
  UPDATE duework.schedule_ledger SET outcome = 'skipped', reason = 'copied', decided_at = now() WHERE outcome = 'waiting';
  UPDATE duework.schedules SET is_paused = true, paused_at = now(), paused_by = empty_copy.by,
    pause_reason = 'This database is a copy', updated_at = now(), run_ids = '{}'
  WHERE NOT is_paused;
  GET DIAGNOSTICS schedules = ROW_COUNT;
  SELECT p.* INTO here FROM duework.place() p;
  DELETE FROM duework.origin;
  INSERT INTO duework.origin (cluster, database, timeline) VALUES (here.cluster, here.database, here.timeline);
  INSERT INTO duework.audit_entries (by, via, verb, kind, target, after, reason)
  VALUES (empty_copy.by, empty_copy.via, 'empty_copy', 'database', current_database(),
    jsonb_build_object('jobs', jobs, 'schedules', schedules), empty_copy.reason);
END
$$;
REVOKE ALL ON FUNCTION duework.empty_copy FROM PUBLIC;

-- Readies a database that was restored from a backup: nothing of it begins by itself. Schedules whose due times have come due
-- since are paused, and bulk actions that were under way end. New runs get ids that none of the time that is missing had,
-- as others may remember those: shards, a dedicated queue, producers. It runs as its owner, whose sequences they are.
CREATE FUNCTION duework.ready_restored(by text, via text, reason text, OUT schedules bigint, OUT actions bigint)
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  UPDATE duework.schedules SET is_paused = true, paused_at = now(), paused_by = ready_restored.by,
    pause_reason = 'Restored from a backup: its last due times may have run', updated_at = now()
  WHERE NOT is_paused AND next_due_at <= now();
  GET DIAGNOSTICS schedules = ROW_COUNT;
  UPDATE duework.bulk_actions SET status = 'aborted', finished_at = now() WHERE status = 'running';
  GET DIAGNOSTICS actions = ROW_COUNT;
  -- a tenth of the numbers of a day
  PERFORM setval('duework.job_runs_id_seq', (last_value + 10000000000) % 99999999999 + 1) FROM duework.job_runs_id_seq;
  INSERT INTO duework.audit_entries (by, via, verb, kind, target, after, reason)
  VALUES (ready_restored.by, ready_restored.via, 'ready_restored', 'database', current_database(),
    jsonb_build_object('schedules', schedules, 'actions', actions), ready_restored.reason);
END
$$;
REVOKE ALL ON FUNCTION duework.ready_restored FROM PUBLIC;

-- Lets each sequence go on behind what is in its table: logical replication brings rows, and no sequences. It runs as its
-- owner, whose sequences they are.
CREATE FUNCTION duework.raise_sequences() RETURNS void
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  of_table record;
  highest  bigint;
  reached  bigint;
BEGIN
  FOR of_table IN
    SELECT s.oid::regclass AS sequence, t.relname AS name, a.attname AS id
    FROM pg_class s
    JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
    JOIN pg_class t ON t.oid = d.refobjid
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
    WHERE s.relkind = 'S' AND d.deptype IN ('a', 'i') AND t.relnamespace = 'duework'::regnamespace
  LOOP
    IF of_table.name = 'job_runs' THEN
      -- an id begins with its day, and its number starts anew; literals, so that one day is opened
      EXECUTE format('SELECT greatest((SELECT max(id) FROM duework.job_runs), (SELECT max(id) FROM duework.job_history
        WHERE id >= %1$s)) - %1$s', duework.first_id_today(0)) INTO highest;
    ELSE
      EXECUTE format('SELECT max(%I) FROM duework.%I', of_table.id, of_table.name) INTO highest;
    END IF;
    EXECUTE format('SELECT last_value FROM %s', of_table.sequence) INTO reached;
    IF highest >= reached THEN PERFORM setval(of_table.sequence, highest); END IF;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION duework.raise_sequences FROM PUBLIC;

-- Retention: what is kept for how long, and how it goes.
--
-- Days that are old are dropped. The other functions delete rows: at most `batch` a call, so that none is a long
-- transaction, and rows that somebody holds are left for the next time. Call each until it returns less than `batch`.
-- Each walks one index from its old end and no further; the settings leave the planner no other way, whatever it
-- believes about the table.
--
-- What belongs together stays together. A child is kept as long as its parent's steps are, which go with the parent, and
-- a job of a batch as long as the batch. So what belongs to others leaves its day before that is dropped, for
-- job_history_late and job_attempts_late, whose rows go one by one.

-- Whether a job's history stays because of what it belongs to, whatever its age. A child is younger than its parent, so
-- that no two jobs can keep each other for ever.
CREATE FUNCTION duework.is_kept_by_others(of_id bigint) RETURNS boolean
LANGUAGE plpgsql
STABLE
AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM duework.job_steps AS s WHERE s.awaits = 'child' AND s.run_id < s.awaited::bigint AND s.awaited::bigint = of_id
  ) OR EXISTS (SELECT FROM duework.job_batch_jobs AS b WHERE b.run_id = of_id);
END
$$;

-- Takes what belongs to others out of the days that `prune` is about to drop: looks at `batch` of them at most, behind
-- `after`, and returns behind which to go on; null: there is none left, and so nearly always. It is called in the
-- statement that then calls prune, so that both mean the same days.
CREATE FUNCTION duework.leave_days(keep_days integer, attempt_days integer, after bigint, batch integer) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  days    record;
  members bigint[];
BEGIN
  -- the older days first, so that one id says how far this has come
  FOR days IN
    SELECT min(duework.first_id_of(to_date(right(c.relname, 8), 'YYYYMMDD'))) AS first_id, duework.first_id_today(-kept - 1) AS end_id
    FROM (VALUES ('duework.job_attempts_days'::regclass, attempt_days), ('duework.job_history_days', keep_days)) AS t (days, kept)
    JOIN pg_inherits i ON i.inhparent = t.days
    JOIN pg_class c ON c.oid = i.inhrelid AND c.relname ~ '_[0-9]{8}$'
    GROUP BY kept
    ORDER BY kept DESC
  LOOP
    CONTINUE WHEN days.first_id >= days.end_id;
    SELECT array_agg(m.id ORDER BY m.id) INTO members FROM (
      SELECT x.id FROM (
        (SELECT s.awaited::bigint AS id FROM duework.job_steps AS s
          WHERE s.awaits = 'child' AND s.run_id < s.awaited::bigint
            AND s.awaited::bigint > after AND s.awaited::bigint >= days.first_id AND s.awaited::bigint < days.end_id
          ORDER BY s.awaited::bigint LIMIT batch)
        UNION
        (SELECT b.run_id FROM duework.job_batch_jobs AS b
          WHERE b.run_id > after AND b.run_id >= days.first_id AND b.run_id < days.end_id
          ORDER BY b.run_id LIMIT batch)
      ) AS x
      ORDER BY x.id LIMIT batch
    ) AS m;
    EXIT WHEN members IS NOT NULL;
  END LOOP;
  IF members IS NULL THEN RETURN NULL; END IF;
  -- planned for these ids, so that only their days are opened
  EXECUTE '
    WITH gone AS (DELETE FROM duework.job_history_days AS h WHERE h.id = ANY($1) AND h.id < $2 RETURNING h AS run)
    INSERT INTO duework.job_history_late
    SELECT r.* FROM gone AS g CROSS JOIN LATERAL jsonb_populate_record(g.run, ''{"is_late": true}'') AS r'
  USING members, duework.first_id_today(-keep_days - 1);
  EXECUTE '
    WITH gone AS (DELETE FROM duework.job_attempts_days AS a WHERE a.run_id = ANY($1) AND a.run_id < $2 RETURNING a AS attempt)
    INSERT INTO duework.job_attempts_late
    SELECT r.* FROM gone AS g CROSS JOIN LATERAL jsonb_populate_record(g.attempt, ''{"is_late": true}'') AS r'
  USING members, duework.first_id_today(-attempt_days - 1);
  RETURN members[cardinality(members)];
END
$$;

-- Drops daily partitions whose last rows were finished more than `keep_days` days ago (of attempts: `attempt_days`,
-- because nobody knows of an attempt whether its run will be dead), and returns how many: ten of one table at most,
-- because from the first one on settlements wait for the commit, and each takes locks. So call it until there is
-- none. It reads no row of them. It gives up after 2 s of waiting for a lock (55P03), because settlements would queue
-- up behind it; the next call tries again.
CREATE FUNCTION duework.prune(keep_days integer, attempt_days integer) RETURNS integer
LANGUAGE plpgsql
SECURITY DEFINER
SET lock_timeout = '2s'
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parent  regclass;
  part    record;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('duework.partitions', 0));
  FOREACH parent IN ARRAY ARRAY['duework.job_history_days', 'duework.job_attempts_days']::regclass[] LOOP
    FOR part IN
      SELECT c.relname AS name
      FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent
        AND c.relname ~ '_[0-9]{8}$'
        -- the day after it is the last on which its rows were finished
        AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (now() AT TIME ZONE 'UTC')::date
          - CASE parent WHEN 'duework.job_attempts_days'::regclass THEN attempt_days ELSE keep_days END
      ORDER BY c.relname
      LIMIT 10
    LOOP
      EXECUTE format('DROP TABLE duework.%I', part.name);
      dropped := dropped + 1;
    END LOOP;
    EXIT WHEN dropped > 0;
  END LOOP;
  RETURN dropped;
END
$$;

-- Rows whose id carries a day that had no partition when they finished, and that stayed in the default one. It has no
-- such index, and is empty unless nobody could make partitions for a week.
CREATE FUNCTION duework.prune_default(keep_days integer, attempt_days integer, batch integer) RETURNS integer
LANGUAGE sql
AS $$
  WITH history AS (
    DELETE FROM duework.job_history_days_default
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_history_days_default
      WHERE finished_at < ((now() AT TIME ZONE 'UTC')::date - keep_days)::timestamp AT TIME ZONE 'UTC'
        AND NOT duework.is_kept_by_others(id)
      LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  ),
  attempts AS (
    DELETE FROM duework.job_attempts_days_default
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_attempts_days_default
      WHERE finished_at < ((now() AT TIME ZONE 'UTC')::date - attempt_days)::timestamp AT TIME ZONE 'UTC'
        AND NOT duework.is_kept_by_others(run_id)
      LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM history), (SELECT count(*) FROM attempts))::integer
$$;

-- Rows of a table that is in no day's partition, the oldest first. Looks at `batch` rows behind that moment and id, and
-- passes over what stays because of others. Returns how many it has looked at, and behind which row to go on.
CREATE FUNCTION duework.prune_rows(of_table regclass, keep_days integer, batch integer,
  after_at timestamptz DEFAULT '-infinity', after_id bigint DEFAULT 0,
  OUT looked integer, OUT up_to_at timestamptz, OUT up_to_id bigint)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  EXECUTE format('
    WITH looked AS MATERIALIZED (
      SELECT ctid, %2$I AS id, finished_at FROM %1$s
      WHERE finished_at < $1 AND finished_at >= $3 AND (finished_at, %2$I) > ($3, $4)
      ORDER BY finished_at, %2$I LIMIT $2
    ),
    free AS MATERIALIZED (
      SELECT ctid FROM %1$s
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM looked WHERE NOT duework.is_kept_by_others(id)))
      FOR UPDATE SKIP LOCKED
    ),
    gone AS (DELETE FROM %1$s WHERE ctid = ANY(ARRAY(SELECT ctid FROM free)))
    SELECT count(*)::integer, max(finished_at), (array_agg(id ORDER BY finished_at DESC, id DESC))[1] FROM looked',
    of_table, CASE of_table WHEN 'duework.job_attempts_late'::regclass THEN 'run_id' ELSE 'id' END)
  INTO looked, up_to_at, up_to_id
  USING ((now() AT TIME ZONE 'UTC')::date - keep_days)::timestamp AT TIME ZONE 'UTC', batch, after_at, after_id;
END
$$;

-- Keys whose window is over.
CREATE FUNCTION duework.prune_expired_keys(batch integer) RETURNS integer
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH gone AS (
    DELETE FROM duework.job_keys
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$$;

-- Keys or effects whose run is gone, or its history old enough: they live no longer. One that is still needed is not
-- looked at again before it can be old enough, so nothing is looked at more often than once in `keep_days`, or
-- once a day, where others keep its run. One of a dead run lives for `dead_days`. Returns how many were looked at.
CREATE FUNCTION duework.prune_with_runs(of_table regclass, keep_days integer, dead_days integer, batch integer)
  RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  oldest timestamptz := ((now() AT TIME ZONE 'UTC')::date - keep_days)::timestamp AT TIME ZONE 'UTC';
  oldest_dead timestamptz := ((now() AT TIME ZONE 'UTC')::date - dead_days)::timestamp AT TIME ZONE 'UTC';
  looked integer;
BEGIN
  EXECUTE format('
    WITH looked AS MATERIALIZED (
      SELECT ctid, run_id FROM %1$s WHERE needed_at < $1 ORDER BY needed_at LIMIT $2
      -- who takes an expired key for a new run has changed it since this statement began, or holds it still: it is
      -- passed over
      FOR UPDATE SKIP LOCKED
    ),
    decided AS MATERIALIZED (
      SELECT ctid AS row_id, coalesce(
        -- no EXISTS, for which the planner may read the whole table into a hash
        (SELECT now() FROM duework.job_runs r WHERE r.id = l.run_id),
        (SELECT c.finished_at FROM duework.job_history_cancelled c WHERE c.id = l.run_id AND c.finished_at >= $1),
        (SELECT h.finished_at FROM duework.job_history_late h WHERE h.id = l.run_id AND h.finished_at >= $1),
        -- as if it had finished when it begins to be as old as others that go; not later than now, because it may be
        -- retried
        (SELECT least(now(), d.finished_at - $3 + $1) FROM duework.job_history_dead d
          WHERE d.id = l.run_id AND d.finished_at >= $3),
        -- in its day, which is looked at only where the id does not tell that it is old: that is a statement for each
        -- run
        (
          SELECT f.finished_at
          FROM (SELECT WHERE duework.day_of_id(l.run_id) + 2 > $1 AT TIME ZONE ''UTC'' OFFSET 0) is_young
          CROSS JOIN LATERAL duework.find_run_status(l.run_id) f
          WHERE f.status = ''succeeded'' AND f.finished_at >= $1
        ),
        -- its history stays because of others: looked at again tomorrow
        CASE WHEN duework.is_kept_by_others(l.run_id) THEN $1 END
      ) AS needed_at
      FROM looked l
    ),
    gone AS (DELETE FROM %1$s WHERE ctid = ANY(ARRAY(SELECT row_id FROM decided WHERE needed_at IS NULL))),
    kept AS (UPDATE %1$s k SET needed_at = d.needed_at FROM decided d
      WHERE k.ctid = d.row_id AND d.needed_at IS NOT NULL)
    SELECT count(*)::integer FROM looked', of_table)
  INTO looked USING oldest, batch, oldest_dead;
  RETURN looked;
END
$$;
REVOKE ALL ON FUNCTION duework.prune FROM PUBLIC;

-- What the workers keep for how long, as the last one that prunes has noted it, and how large the disk is, which no server
-- tells.
CREATE TABLE duework.retention (
  is_only    boolean NOT NULL DEFAULT true,
  keep_days  integer NOT NULL,
  dead_days  integer NOT NULL,
  -- null: nobody has said
  disk_bytes bigint,
  CONSTRAINT retention_pkey PRIMARY KEY (is_only),
  CONSTRAINT retention_is_only_check CHECK (is_only)
);
COMMENT ON TABLE duework.retention IS 'For how long the workers keep what is over, and how large the disk is';

-- The bytes of each table with its indexes; of the history, of each of its days. It reads sizes of files, and no row.
CREATE FUNCTION duework.table_sizes() RETURNS TABLE (name text, day date, bytes bigint)
LANGUAGE sql
STABLE
AS $$
  SELECT regexp_replace(c.relname, '_[0-9]{8}$', ''), to_date(substring(c.relname FROM '_([0-9]{8})$'), 'YYYYMMDD'),
    -- null: it was dropped meanwhile
    coalesce(pg_total_relation_size(c.oid), 0)
  FROM pg_class AS c
  WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind = 'r'
$$;

-- How large the queue is, grows and becomes, in bytes. It gives up if a lock is not to be had (55P03).
--
-- Growth is what a day adds: of the history the mean of its last seven whole days, of what is kept as long but lies in no
-- day (keys, effects, dead jobs) what there is by the days that there are. null: no day is over yet. What is needed is the
-- history as long as it is kept, at that growth, beside all else as it is now. It grows no further.
--
-- Of the disk is used what the role may see: databases that it may connect to, and the WAL with pg_monitor.
CREATE FUNCTION duework.read_size(
  OUT bytes bigint, OUT tables jsonb,
  -- days of the history that are over
  OUT days integer, OUT growth bigint, OUT keep_days integer, OUT dead_days integer, OUT needed bigint,
  OUT disk bigint, OUT used bigint,
  -- until the disk is full; null: not known, or never at this growth
  OUT days_left double precision)
LANGUAGE plpgsql
STABLE
SET lock_timeout = '1s'
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  other oid;
BEGIN
  SELECT r.keep_days, r.dead_days, r.disk_bytes INTO keep_days, dead_days, disk FROM duework.retention AS r;
  WITH sizes AS MATERIALIZED (SELECT * FROM duework.table_sizes()),
  whole AS (SELECT count(DISTINCT s.day) AS days FROM sizes AS s WHERE s.day < today),
  kept AS (
    SELECT n.name, l.days
    FROM (VALUES
      (keep_days, 'job_history_succeeded job_history_late job_history_cancelled job_keys job_effects job_objects job_steps job_batches '
        || 'job_batch_jobs job_signals'),
      (greatest(keep_days, dead_days), 'job_history_dead job_attempts job_attempts_late')) AS l (days, names)
    CROSS JOIN LATERAL string_to_table(l.names, ' ') AS n (name)
  ),
  grown AS (
    SELECT s.name, sum(s.bytes) AS bytes, count(s.day) AS parts, k.days AS kept, CASE
      WHEN k.name IS NULL THEN 0
      WHEN count(s.day) > 0 THEN avg(s.bytes) FILTER (WHERE s.day < today AND s.day >= today - 7)
      ELSE sum(s.bytes) / nullif(least(w.days, k.days), 0)
    END AS growth
    FROM sizes AS s CROSS JOIN whole AS w LEFT JOIN kept AS k ON k.name = s.name
    GROUP BY s.name, k.name, k.days, w.days
  )
  SELECT sum(g.bytes), (SELECT w.days FROM whole AS w),
    CASE WHEN bool_and(g.growth IS NOT NULL) THEN sum(g.growth) END,
    CASE WHEN bool_and(g.growth IS NOT NULL) AND keep_days IS NOT NULL THEN sum(CASE
      WHEN g.kept IS NULL THEN g.bytes
      -- a day goes once the one after it is old enough, and there is today
      ELSE g.growth * (g.kept + CASE WHEN g.parts > 0 THEN 2 ELSE 0 END)
    END) END,
    jsonb_agg(jsonb_build_object('name', g.name, 'bytes', g.bytes, 'days', g.parts) ORDER BY g.bytes DESC, g.name)
  INTO bytes, days, growth, needed, tables FROM grown AS g;

  used := pg_database_size(current_database());
  FOR other IN SELECT d.oid FROM pg_database AS d WHERE d.datname <> current_database() LOOP
    BEGIN
      used := used + coalesce(pg_database_size(other), 0);
    EXCEPTION WHEN insufficient_privilege OR invalid_catalog_name OR undefined_object OR undefined_file THEN
      -- not for this role, or dropped meanwhile
      NULL;
    END;
  END LOOP;
  -- asked for apart, because the right is looked for before it is called
  IF has_function_privilege('pg_ls_waldir()', 'EXECUTE') THEN
    used := used + (SELECT sum(w.size) FROM pg_ls_waldir() AS w);
  END IF;
  IF used + greatest(0, needed - bytes) > disk THEN days_left := greatest(0, disk - used) / nullif(growth, 0)::float8; END IF;
END
$$;

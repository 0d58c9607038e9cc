-- Retention: what is kept for how long, and how it goes.
--
-- Days that are old are dropped. The other functions delete rows: at most `batch` a call, so that none is a long
-- transaction, and rows that somebody holds are left for the next time. Call each until it returns less than `batch`.
-- Each walks one index from its old end and no further; the settings leave the planner no other way, whatever it
-- believes about the table.
--
-- A type's own times (keep, keepDead) take its jobs out of their days: those that are over before the day is, with all that
-- they have; those that stay for longer, to where rows go one by one, before the day is dropped. So no day stays for a few of
-- its jobs, and space is given back by the day.
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

-- For how long the runs of types are kept that say so themselves, in days: once they have ended, and dead. Given is how long
-- others are. While a deploy is under way programs may say different things, and so may the same one with fewer types: the
-- longest time counts of what the registry and each worker says, where one that says nothing keeps them as others are.
CREATE FUNCTION duework.own_retention(keep_days integer, dead_days integer, OUT job_type text, OUT ended integer, OUT dead integer)
RETURNS SETOF record
LANGUAGE sql
STABLE
AS $$
  WITH own AS MATERIALIZED (
    SELECT d.type FROM duework.job_definitions AS d WHERE coalesce(d.keep_days, d.dead_days) IS NOT NULL
    UNION
    SELECT jsonb_object_keys(w.keeps) FROM duework.worker_contracts AS w WHERE w.keeps IS NOT NULL
  )
  SELECT o.type, max(coalesce(s.ended, $1)), max(coalesce(s.dead, $2))
  FROM own AS o
  CROSS JOIN LATERAL (
    SELECT d.keep_days, d.dead_days FROM duework.job_definitions AS d WHERE d.type = o.type
    UNION ALL
    SELECT (w.keeps -> o.type ->> 0)::integer, (w.keeps -> o.type ->> 1)::integer
    FROM duework.worker_contracts AS w WHERE w.contracts ? o.type
  ) AS s (ended, dead)
  GROUP BY o.type
$$;

-- The beginning of the day before which what goes has ended, in UTC.
CREATE FUNCTION duework.oldest_kept(days integer) RETURNS timestamptz
LANGUAGE sql
STABLE
AS $$ SELECT ((now() AT TIME ZONE 'UTC')::date - days)::timestamp AT TIME ZONE 'UTC' $$;

-- Deletes the keys of runs; returns the runs whose key an enqueue holds at this moment, whose transaction may last: they are
-- left for the next time.
CREATE FUNCTION duework.free_keys(ids bigint[], types text[], keys text[]) RETURNS bigint[]
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
  WITH given AS MATERIALIZED (SELECT * FROM unnest(ids, types, keys) AS g (id, job_type, key) WHERE g.key IS NOT NULL),
  free AS MATERIALIZED (
    SELECT k.ctid FROM given AS g JOIN duework.job_keys AS k ON k.job_type = g.job_type AND k.key = g.key
    WHERE k.run_id = g.id
    FOR UPDATE OF k SKIP LOCKED
  ),
  gone AS (DELETE FROM duework.job_keys WHERE ctid = ANY(ARRAY(SELECT ctid FROM free)) RETURNING run_id)
  SELECT array_agg(h.id) FROM (
    SELECT g.id FROM given AS g JOIN duework.job_keys AS k ON k.job_type = g.job_type AND k.key = g.key WHERE k.run_id = g.id
    EXCEPT SELECT run_id FROM gone
  ) AS h
$$;

-- Deletes what else is left of runs whose history goes.
CREATE FUNCTION duework.forget_runs(ids bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  DELETE FROM duework.job_effects AS e WHERE e.run_id = ANY(ids);
  DELETE FROM duework.job_steps AS s WHERE s.run_id = ANY(ids);
  -- planned for these ids, so that only their days are opened
  EXECUTE 'DELETE FROM duework.job_attempts_days AS a WHERE a.run_id = ANY($1)' USING ids;
  DELETE FROM duework.job_attempts_late AS a WHERE a.run_id = ANY(ids);
END
$$;

-- Moves runs, or attempts, out of their days to where rows go one by one, as far as they have ended by then.
CREATE FUNCTION duework.make_late(ids bigint[], ended_before timestamptz, attempt_ids bigint[], failed_before timestamptz) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  -- planned for these ids, so that only their days are opened
  EXECUTE '
    WITH gone AS (DELETE FROM duework.job_history_days AS h WHERE h.id = ANY($1) AND h.finished_at < $2 RETURNING h AS run)
    INSERT INTO duework.job_history_late
    SELECT r.* FROM gone AS g CROSS JOIN LATERAL jsonb_populate_record(g.run, ''{"is_late": true}'') AS r'
  USING ids, ended_before;
  EXECUTE '
    WITH gone AS (DELETE FROM duework.job_attempts_days AS a WHERE a.run_id = ANY($1) AND a.finished_at < $2 RETURNING a AS attempt)
    INSERT INTO duework.job_attempts_late
    SELECT r.* FROM gone AS g CROSS JOIN LATERAL jsonb_populate_record(g.attempt, ''{"is_late": true}'') AS r'
  USING attempt_ids, failed_before;
END
$$;

-- Takes runs of types with times of their own out of their days, about `batch` of them: deletes those whose time is over, and
-- moves those that stay for longer than their day does. Returns how many it has looked at; 0: there are none.
--
-- Of those that have succeeded in one statement one names all, and is in the index by type. So nothing is read but the runs of
-- these types; and whoever is interrupted goes on with what is left.
CREATE FUNCTION duework.leave_by_type(keep_days integer, dead_days integer, batch integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  attempt_days constant integer := greatest(keep_days, dead_days);
  own      record;
  named    record;
  looked   bigint[] := '{}';
  ids      bigint[];
  types    text[];
  keys     text[];
  staying  bigint[];
  oldest   timestamptz;
BEGIN
  IF NOT EXISTS (SELECT FROM duework.own_retention(keep_days, dead_days)) THEN RETURN 0; END IF;
  -- one at a time: a key that another one is deleting would look as if an enqueue held it
  PERFORM pg_advisory_xact_lock(hashtextextended('duework.leave_by_type', 0));
  FOR own IN SELECT o.* FROM duework.own_retention(keep_days, dead_days) AS o ORDER BY o.job_type LOOP
    CONTINUE WHEN own.ended = keep_days;
    oldest := duework.oldest_kept(least(own.ended, keep_days));
    ids := '{}';
    -- planned for this day, so that no later one is opened; here as below
    FOR named IN EXECUTE '
      SELECT h.ended_with || h.id AS ids FROM duework.job_history_days AS h
      WHERE h.job_type = $1 AND h.is_newest AND h.finished_at < $2 AND h.id < $3
      ORDER BY h.finished_at LIMIT $4'
    USING own.job_type, oldest, duework.first_id_of((oldest AT TIME ZONE 'UTC')::date), batch LOOP
      ids := ids || named.ids;
      EXIT WHEN cardinality(looked) + cardinality(ids) >= batch;
    END LOOP;
    CONTINUE WHEN ids = '{}';
    looked := looked || ids;
    IF own.ended > keep_days THEN
      PERFORM duework.make_late(ids, oldest, NULL, NULL);
    ELSE
      EXECUTE '
        SELECT array_agg(h.id), array_agg(h.job_type), array_agg(h.idempotency_key),
          array_agg(h.id) FILTER (WHERE duework.is_kept_by_others(h.id))
        FROM duework.job_history_days AS h WHERE h.id = ANY($1) AND h.job_type = $2 AND h.finished_at < $3'
      INTO ids, types, keys, staying USING ids, own.job_type, oldest;
      -- what stays gets out of the way of its day, too
      PERFORM duework.make_late(staying, oldest, staying, oldest);
      SELECT array_agg(g.id), array_agg(g.job_type), array_agg(g.key) INTO ids, types, keys
      FROM unnest(ids, types, keys) AS g (id, job_type, key) WHERE g.id <> ALL(coalesce(staying, '{}'));
      staying := duework.free_keys(ids, types, keys);
      PERFORM duework.make_late(staying, oldest, staying, oldest);
      ids := ARRAY(SELECT unnest(ids) EXCEPT SELECT unnest(staying));
      EXECUTE 'DELETE FROM duework.job_history_days AS h WHERE h.id = ANY($1) AND h.finished_at < $2' USING ids, oldest;
      PERFORM duework.forget_runs(ids);
    END IF;
    EXIT WHEN cardinality(looked) >= batch;
  END LOOP;
  IF NOT FOUND OR looked <> '{}' THEN RETURN cardinality(looked); END IF;

  -- attempts stay as long as the longer of both
  oldest := duework.oldest_kept(attempt_days);
  EXECUTE '
    SELECT array_agg(x.run_id) FROM (
      SELECT a.run_id FROM duework.own_retention($1, $2) AS o CROSS JOIN LATERAL (
        SELECT i.run_id FROM duework.job_attempts_days AS i
        WHERE i.job_type COLLATE "C" = o.job_type AND i.finished_at < $3 AND i.run_id < $4 LIMIT $5
      ) AS a
      WHERE greatest(o.ended, o.dead) > $6
      LIMIT $5
    ) AS x'
  INTO looked USING keep_days, dead_days, oldest, duework.first_id_of((oldest AT TIME ZONE 'UTC')::date), batch, attempt_days;
  PERFORM duework.make_late(NULL, NULL, looked, oldest);
  RETURN coalesce(cardinality(looked), 0);
END
$$;

-- Takes what belongs to others out of the days that `prune` is about to drop: looks at `batch` of them at most, behind
-- `after`, and returns behind which to go on; null: there is none left, and so nearly always. It is called in the
-- statement that then calls prune, so that both mean the same days.
CREATE FUNCTION duework.leave_days(keep_days integer, dead_days integer, after bigint, batch integer) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  attempt_days constant integer := greatest(keep_days, dead_days);
  days    record;
  members bigint[];
BEGIN
  IF duework.leave_by_type(keep_days, dead_days, batch) > 0 THEN RETURN after; END IF;
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
  PERFORM duework.make_late(members, duework.oldest_kept(keep_days), members, duework.oldest_kept(attempt_days));
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
CREATE FUNCTION duework.prune_default(keep_days integer, dead_days integer, batch integer) RETURNS integer
LANGUAGE sql
AS $$
  WITH own AS MATERIALIZED (SELECT * FROM duework.own_retention(keep_days, dead_days)),
  history AS (
    DELETE FROM duework.job_history_days_default
    WHERE ctid = ANY(ARRAY(
      SELECT d.ctid FROM duework.job_history_days_default AS d
      WHERE d.finished_at < duework.oldest_kept(keep_days)
        -- leave_by_type takes it
        AND NOT EXISTS (SELECT FROM own AS o WHERE o.job_type = d.job_type AND o.ended > keep_days)
        AND NOT duework.is_kept_by_others(d.id)
      LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  ),
  attempts AS (
    DELETE FROM duework.job_attempts_days_default
    WHERE ctid = ANY(ARRAY(
      SELECT d.ctid FROM duework.job_attempts_days_default AS d
      WHERE d.finished_at < duework.oldest_kept(greatest(keep_days, dead_days))
        AND NOT EXISTS (SELECT FROM own AS o WHERE o.job_type = d.job_type AND greatest(o.ended, o.dead) > greatest(keep_days, dead_days))
        AND NOT duework.is_kept_by_others(d.run_id)
      LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM history), (SELECT count(*) FROM attempts))::integer
$$;

-- Rows of a table that is in no day's partition, the oldest first; if types have times of their own, type by type. Looks at
-- about `batch` rows behind that type, moment and id, and passes over what stays because of others. Returns how many it has
-- looked at, and behind which row to go on. What belongs to a run of such a type goes with it.
CREATE FUNCTION duework.prune_rows(of_table regclass, keep_days integer, dead_days integer, batch integer,
  after_type text DEFAULT '', after_at timestamptz DEFAULT '-infinity', after_id bigint DEFAULT 0,
  OUT looked integer, OUT up_to_type text, OUT up_to_at timestamptz, OUT up_to_id bigint)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  name constant text := split_part(of_table::text, '.', 2);
  id_column constant text := CASE name WHEN 'job_attempts_late' THEN 'run_id' ELSE 'id' END;
  -- all rows of these tables are in an index by type, but in another one
  is_indexed constant text := CASE WHEN name IN ('job_history_dead', 'job_history_cancelled') THEN 'AND is_newest' ELSE '' END;
  has_own constant boolean := EXISTS (SELECT FROM duework.own_retention(keep_days, dead_days));
  kind  record;
  part  integer;
  freed record;
  held  bigint[];
BEGIN
  looked := 0;
  FOR kind IN EXECUTE format('
    WITH RECURSIVE types (job_type) AS (
      (SELECT t.job_type COLLATE "C" FROM %1$s AS t WHERE $4 AND t.job_type COLLATE "C" >= $1 %2$s ORDER BY 1 LIMIT 1)
      UNION ALL
      SELECT (SELECT n.job_type COLLATE "C" FROM %1$s AS n WHERE n.job_type COLLATE "C" > t.job_type %2$s ORDER BY 1 LIMIT 1)
      FROM types AS t WHERE t.job_type IS NOT NULL
    )
    SELECT t.job_type, o.job_type IS NOT NULL AS is_own, coalesce(o.ended, $2) AS ended, coalesce(o.dead, $3) AS dead
    FROM (SELECT job_type FROM types WHERE job_type IS NOT NULL UNION ALL SELECT '''' WHERE NOT $4) AS t
    LEFT JOIN duework.own_retention($2, $3) AS o ON o.job_type = t.job_type
    ORDER BY t.job_type COLLATE "C"', of_table, is_indexed)
  USING after_type, keep_days, dead_days, has_own LOOP
    EXECUTE format('
      WITH looked AS MATERIALIZED (
        SELECT ctid, %2$I AS id, finished_at FROM %1$s
        WHERE %3$s finished_at < $1 AND finished_at >= $3 AND (finished_at, %2$I) > ($3, $4)
        ORDER BY finished_at, %2$I LIMIT $2
      ),
      free AS MATERIALIZED (
        SELECT ctid, %2$I AS id, %4$s AS key FROM %1$s
        WHERE ctid = ANY(ARRAY(SELECT ctid FROM looked WHERE NOT duework.is_kept_by_others(id)))
        FOR UPDATE SKIP LOCKED
      ),
      held AS MATERIALIZED (
        SELECT coalesce(duework.free_keys(array_agg(id), array_agg($5), array_agg(key)), ''{}'') AS ids FROM free WHERE $6
      ),
      gone AS (
        DELETE FROM %1$s WHERE ctid = ANY(ARRAY(SELECT f.ctid FROM free AS f, held AS h WHERE f.id <> ALL(h.ids))) RETURNING %2$I AS id
      )
      SELECT l.*, (SELECT array_agg(id) FROM gone WHERE $6) AS ids
      FROM (SELECT count(*)::integer, max(finished_at), (array_agg(id ORDER BY finished_at DESC, id DESC))[1] FROM looked) AS l (looked, at, id)',
      of_table, id_column, CASE WHEN has_own THEN 'job_type COLLATE "C" = $5 ' || is_indexed || ' AND' ELSE '' END,
      CASE id_column WHEN 'id' THEN 'idempotency_key' ELSE 'NULL::text' END)
    INTO freed
    USING duework.oldest_kept(CASE name
        WHEN 'job_history_dead' THEN kind.dead WHEN 'job_attempts_late' THEN greatest(kind.ended, kind.dead) ELSE kind.ended
      END), batch - looked,
      CASE WHEN kind.job_type = after_type THEN after_at ELSE '-infinity' END, CASE WHEN kind.job_type = after_type THEN after_id ELSE 0 END,
      kind.job_type, kind.is_own AND id_column = 'id';
    PERFORM duework.forget_runs(freed.ids);
    looked := looked + freed.looked;
    IF freed.looked > 0 THEN SELECT kind.job_type, freed.at, freed.id INTO up_to_type, up_to_at, up_to_id; END IF;
    EXIT WHEN looked >= batch;
  END LOOP;
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
  looked integer;
BEGIN
  EXECUTE format('
    WITH own AS MATERIALIZED (SELECT * FROM duework.own_retention($3, $4)),
    found AS MATERIALIZED (
      SELECT ctid, run_id, job_type FROM %1$s WHERE needed_at < $1 ORDER BY needed_at LIMIT $2
      -- who takes an expired key for a new run has changed it since this statement began, or holds it still: it is
      -- passed over
      FOR UPDATE SKIP LOCKED
    ),
    looked AS MATERIALIZED (
      SELECT f.*, duework.oldest_kept(coalesce(o.ended, $3)) AS oldest, duework.oldest_kept(coalesce(o.dead, $4)) AS oldest_dead
      FROM found AS f
      -- whose type was not said: the longest time of all
      LEFT JOIN (
        SELECT * FROM own
        UNION ALL SELECT NULL, greatest($3, max(ended)), greatest($4, max(dead)) FROM own
      ) AS o ON o.job_type IS NOT DISTINCT FROM f.job_type
    ),
    decided AS MATERIALIZED (
      SELECT ctid AS row_id, coalesce(
        -- no EXISTS, for which the planner may read the whole table into a hash
        (SELECT now() FROM duework.job_runs r WHERE r.id = l.run_id),
        -- as if it had finished when it begins to be as old as others that go; not later than now, because it may be
        -- retried
        (SELECT least(now(), c.finished_at - l.oldest + $1) FROM duework.job_history_cancelled c
          WHERE c.id = l.run_id AND c.finished_at >= l.oldest),
        (SELECT least(now(), h.finished_at - l.oldest + $1) FROM duework.job_history_late h
          WHERE h.id = l.run_id AND h.finished_at >= l.oldest),
        (SELECT least(now(), d.finished_at - l.oldest_dead + $1) FROM duework.job_history_dead d
          WHERE d.id = l.run_id AND d.finished_at >= l.oldest_dead),
        -- in its day, which is looked at only where the id does not tell that it is old: that is a statement for each
        -- run
        (
          SELECT least(now(), f.finished_at - l.oldest + $1)
          FROM (SELECT WHERE duework.day_of_id(l.run_id) + 2 > l.oldest AT TIME ZONE ''UTC'' OFFSET 0) is_young
          CROSS JOIN LATERAL duework.find_run_status(l.run_id) f
          WHERE f.status = ''succeeded'' AND f.finished_at >= l.oldest
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
  INTO looked USING duework.oldest_kept(keep_days), batch, keep_days, dead_days;
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
-- history as long as it is kept, at that growth, beside all else as it is now. It grows no further. What types with times
-- of their own need beside that is their share of the last seven whole days, as the figures have it, for as much longer: a job
-- that goes before others gives no space back before its day is dropped, unless it is dead.
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
  -- by how many days of all types the types with times of their own lengthen the history, the dead jobs and the attempts
  own AS MATERIALIZED (
    SELECT coalesce(sum(f.succeeded * greatest(0, o.ended - keep_days)) / nullif(sum(f.of_succeeded), 0), 0) AS ended,
      coalesce(sum(f.dead * (o.dead - dead_days)) / nullif(sum(f.of_dead), 0), 0) AS dead,
      coalesce(sum(f.failed * greatest(0, greatest(o.ended, o.dead) - greatest(keep_days, dead_days))) / nullif(sum(f.of_failed), 0), 0) AS failed
    FROM (
      SELECT d.job_type, sum(d.succeeded) AS succeeded, sum(d.dead) AS dead, sum(d.failed + d.dead) AS failed, CASE WHEN d.job_type = '*' THEN sum(d.succeeded) END AS of_succeeded,
        CASE WHEN d.job_type = '*' THEN sum(d.dead) END AS of_dead, CASE WHEN d.job_type = '*' THEN sum(d.failed + d.dead) END AS of_failed
      FROM duework.figures_days AS d
      WHERE d.at >= duework.oldest_kept(7) AND d.at < duework.oldest_kept(0)
      GROUP BY d.job_type
    ) AS f
    LEFT JOIN duework.own_retention(keep_days, dead_days) AS o ON o.job_type = f.job_type
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
      ELSE g.growth * (g.kept + CASE WHEN g.parts > 0 THEN 2 ELSE 0 END
        + (SELECT CASE g.name WHEN 'job_history_succeeded' THEN o.ended WHEN 'job_history_dead' THEN o.dead WHEN 'job_attempts' THEN o.failed ELSE 0 END FROM own AS o))
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

-- Search: which runs fit a filter, answered in bounded time whatever there is.
--
-- A search looks at sources, each in the order of its ids: live runs, what is dead, cancelled, what succeeded late,
-- and the days of what succeeded in time. Of a source it first asks for candidates: ids out of an index, if there are
-- not too many of them. Where there is no such index, or it knows too many, the search walks along the ids and looks
-- at so many rows, its budget. Then it says how far it came. So nothing but dead and cancelled runs, which are few,
-- pays for being found.

-- What the words of an error are, for the index below: in small letters, without signs, so that an address is not one
-- word but the parts that people look for. Of the first 4,000 characters.
CREATE FUNCTION duework.error_words(code text, type text, message text) RETURNS text
LANGUAGE sql
IMMUTABLE
PARALLEL SAFE
AS $$
  SELECT translate(
    lower(left(coalesce(code || ' ', '') || coalesce(type || ' ', '') || coalesce(message, ''), 4000)),
    E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\n\r\t\u00a0«»–—‘’“”„…→', repeat(' ', 48)
  )
$$;

-- What is dead or cancelled is found by what it says about itself. The lists of what was not yet merged into these
-- indexes are short, because every search reads them.
CREATE INDEX job_history_dead_error_idx ON duework.job_history_dead
  USING gin (to_tsvector('simple', duework.error_words(error_code, error_type, last_error)))
    WITH (gin_pending_list_limit = 256);
CREATE INDEX job_history_dead_payload_idx ON duework.job_history_dead USING gin (payload jsonb_path_ops)
  WITH (gin_pending_list_limit = 256);
CREATE INDEX job_history_cancelled_payload_idx ON duework.job_history_cancelled USING gin (payload jsonb_path_ops)
  WITH (gin_pending_list_limit = 256);
CREATE INDEX job_history_dead_queue_idx ON duework.job_history_dead (queue);
CREATE INDEX job_history_cancelled_queue_idx ON duework.job_history_cancelled (queue);
-- who holds a key is in job_keys; these held one that may have passed to another run
CREATE INDEX job_history_dead_key_idx ON duework.job_history_dead (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX job_history_cancelled_key_idx ON duework.job_history_cancelled (idempotency_key)
  WHERE idempotency_key IS NOT NULL;
-- What succeeded within some minutes. A row costs it nothing: it keeps the first and the last moment of each 32
-- pages.
CREATE INDEX job_history_days_finished_at_idx ON duework.job_history_days USING brin (finished_at)
  WITH (pages_per_range = 32, autosummarize = on);

-- Runs that hold one of some keys: for each type that has keys a look into the index.
CREATE FUNCTION duework.find_ids_by_key(of_keys text[]) RETURNS SETOF bigint
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
  WITH RECURSIVE types (job_type) AS (
    (SELECT k.job_type FROM duework.job_keys k ORDER BY k.job_type LIMIT 1)
    UNION ALL
    SELECT next.job_type
    FROM types t
    CROSS JOIN LATERAL (SELECT k.job_type FROM duework.job_keys k WHERE k.job_type > t.job_type ORDER BY k.job_type
      LIMIT 1) next
  )
  SELECT k.run_id FROM types t JOIN duework.job_keys k ON k.job_type = t.job_type AND k.key = ANY(of_keys)
$$;

-- The last 20,000 runs that some schedules have made.
CREATE FUNCTION duework.find_ids_by_schedule(of_keys text[]) RETURNS SETOF bigint
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  SELECT s.run_id
  FROM unnest(of_keys) AS k (key)
  CROSS JOIN LATERAL (
    SELECT l.run_id, l.due_at FROM duework.schedule_ledger l WHERE l.schedule_key = k.key AND l.run_id IS NOT NULL
    ORDER BY l.due_at DESC LIMIT 20000
  ) s
  ORDER BY s.due_at DESC
  LIMIT 20000
$$;

-- The first partition, in a direction, of the days whose runs may have ids in a range; null: there is none. To open
-- it counts as looking at 400 rows.
CREATE FUNCTION duework.find_day(low_id bigint, high_id bigint, is_upward boolean) RETURNS text
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
  SELECT coalesce(
    (SELECT c.relname FROM pg_class c
      WHERE is_upward AND c.relname BETWEEN r.low AND r.high AND c.relkind = 'r'
      AND c.relnamespace = 'duework'::regnamespace
     ORDER BY c.relname LIMIT 1),
    (SELECT c.relname FROM pg_class c
      WHERE NOT is_upward AND c.relname BETWEEN r.low AND r.high AND c.relkind = 'r'
      AND c.relnamespace = 'duework'::regnamespace
     ORDER BY c.relname DESC LIMIT 1)
  )::text
  FROM (
    SELECT ('job_history_succeeded_' || to_char(duework.day_of_id(greatest(low_id, 0)), 'YYYYMMDD'))::name,
      -- no day later than today has a run
      ('job_history_succeeded_'
        || to_char(duework.day_of_id(least(greatest(high_id, 0), duework.first_id_today(1) - 1)), 'YYYYMMDD'))::name
  ) AS r (low, high)
$$;

-- Candidates for find_ids: the ids of a query, with {table} for each of some tables or partitions, and {fits} behind
-- j.id. null: they are more than `budget`.
CREATE FUNCTION duework.find_candidates(query text, tables text[], args text[], budget integer) RETURNS bigint[]
LANGUAGE plpgsql
STABLE
AS $$
DECLARE
  name text;
  hits bigint[];
  ids  bigint[] := '{}';
BEGIN
  FOREACH name IN ARRAY tables LOOP
    EXECUTE format('SELECT array_agg(c.id) FROM (%s LIMIT %s) c',
      replace(replace(query, '{table}', 'duework.' || quote_ident(name)), '{fits}', ''), budget + 1 - cardinality(ids))
    INTO hits USING args;
    ids := ids || coalesce(hits, '{}');
    IF cardinality(ids) > budget THEN RETURN NULL; END IF;
  END LOOP;
  RETURN ids;
END
$$;

-- The ids, in order, of the runs of one source that fit a condition.
--   source      live, failed (what is live and has ever failed), dead, cancelled, late, days_default, or days: tables
--     and partitions
--   candidates  queries for ids, the likely rarest first: the first that knows no more than `budget` of them decides
--     where to look
--   condition   of row j, with ($1)[n] for the n-th of `args`: SQL that whoever calls this might as well send by
--     itself
--   low_id, high_id  no other ids
--   most        so many ids
--   budget      so many rows are looked at
--   is_counted  which ids they are does not matter, nor does their order
-- end_id: the last id that was looked at, where that was not the last; null: all that fit were found, or as many as
-- were asked for. After 0.7 s of the statement it looks at no more rows, as after `budget` of them: a condition that
-- costs much per row is looked for among fewer. Where not one row was looked at, it is cancelled (57014). The settings leave the planner no plan but to walk along the ids, or to take candidates from their
-- index.
CREATE FUNCTION duework.find_ids(
  source text, candidates text[], condition text, args text[], low_id bigint, high_id bigint, is_upward boolean,
  most integer, budget integer,
  is_counted boolean, OUT ids bigint[], OUT end_id bigint
)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_indexscan = on
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  direction text := CASE WHEN is_upward THEN 'ASC' ELSE 'DESC' END;
  is_live   boolean := source IN ('live', 'failed');
  relation  text := CASE WHEN is_live THEN 'live_jobs' ELSE 'job_history_' || source END;
  extra     text := CASE WHEN source = 'failed' THEN 'AND j.failed_at IS NOT NULL' ELSE '' END;
  tables    text[] := ARRAY[relation];
  candidate text;
  chosen    bigint[];
  is_tried  boolean := false;
  looked    integer := 0;
  part      integer;
  seen      integer;
  had       integer;
  last_id   bigint;
  began_at  bigint := CASE WHEN is_upward THEN low_id ELSE high_id END;
  -- whether a row fits, unless it is too late to ask; of a source that comes late, too, some rows are looked at
  fits      text := 'CASE WHEN clock_timestamp() < greatest($2, (SELECT clock_timestamp() + interval ''50 ms'')) THEN ('
    || condition || ') IS TRUE END';
  ends_at   timestamptz := statement_timestamp() + interval '700 ms';
BEGIN
  ids := '{}';
  IF cardinality(candidates) > 0 THEN
    IF source = 'days' THEN
      SELECT coalesce(array_agg(n.name), '{}') INTO tables
      FROM generate_series(
        0,
        duework.day_of_id(least(high_id, duework.first_id_today(1) - 1))
          - duework.day_of_id(greatest(low_id, duework.first_id_today(-60)))
      ) AS d (day)
      CROSS JOIN LATERAL (
        SELECT 'job_history_succeeded_'
          || to_char(duework.day_of_id(greatest(low_id, duework.first_id_today(-60))) + d.day, 'YYYYMMDD') AS name
      ) n
      WHERE to_regclass('duework.' || n.name) IS NOT NULL;
    END IF;
    -- an index over finished runs is read at once, and not in an order that a walk along the ids would have, too
    IF NOT is_live THEN PERFORM set_config('enable_bitmapscan', 'on', true),
      set_config('enable_indexscan', 'off', true); END IF;
    -- among many candidates a count mostly finds enough that fit, wherever they are, and a walk fewer
    is_tried := is_counted AND source IN ('dead', 'cancelled') AND candidates[1] LIKE '%{table}%';
    IF is_tried THEN
      EXECUTE format('
        SELECT coalesce(array_agg(c.id), ''{}'') FROM (SELECT w.id FROM (%s LIMIT $3) AS w WHERE w.fits LIMIT $4) AS c',
        replace(replace(candidates[1], '{table}', 'duework.' || quote_ident(relation)), '{fits}',
          format(', %s AS fits', fits)))
      INTO ids USING args, ends_at, budget, most;
      IF cardinality(ids) = most THEN RETURN; END IF;
    END IF;
    FOREACH candidate IN ARRAY candidates LOOP
      IF candidate NOT LIKE '%{table}%' THEN chosen := duework.find_candidates(candidate, '{""}', args, budget);
      -- not of more than sixty days
      ELSIF source <> 'days' OR low_id > duework.first_id_today(-60)
        THEN chosen := duework.find_candidates(candidate, tables, args, budget);
      END IF;
      EXIT WHEN chosen IS NOT NULL;
    END LOOP;
    PERFORM set_config('enable_bitmapscan', 'off', true), set_config('enable_indexscan', 'on', true);
    -- the table has more rows than a count may look at, and too few of the likely ones fit
    IF is_tried AND chosen IS NULL THEN
      end_id := 0;
      RETURN;
    END IF;
  END IF;

  IF chosen IS NOT NULL THEN
    IF source = 'days' THEN
      -- with its ids as constants the partitions of other days are not opened; they come in no order
      EXECUTE format('
        SELECT array_agg(w.id) FILTER (WHERE w.fits), %s(w.id) FILTER (WHERE w.fits IS NULL)
        FROM (
          SELECT j.id, %s AS fits FROM duework.job_history_days AS j
          WHERE j.id = ANY($3) AND j.id BETWEEN $4 AND $5 AND j.tableoid <> ''duework.job_history_days_default''::regclass
          OFFSET 0
        ) AS w', CASE WHEN is_upward THEN 'min' ELSE 'max' END, fits)
      INTO chosen, last_id USING args, ends_at, chosen, low_id, high_id;
      SELECT coalesce(array_agg(t.id), '{}') INTO ids
      FROM (
        SELECT u.id FROM unnest(chosen) AS u (id)
        WHERE (u.id < last_id) IS DISTINCT FROM NOT is_upward
        ORDER BY CASE WHEN is_upward THEN u.id ELSE -u.id END LIMIT most
      ) t;
    ELSE
      EXECUTE format('
        SELECT coalesce(array_agg(f.id) FILTER (WHERE f.fits), ''{}''), %5$s(f.id) FILTER (WHERE f.fits IS NULL)
        FROM (
          SELECT w.id, w.fits
          FROM (
            SELECT j.id, %3$s AS fits
            FROM (SELECT DISTINCT u.id FROM unnest($3) AS u (id) WHERE u.id BETWEEN $4 AND $5 ORDER BY u.id %1$s) AS c
            CROSS JOIN LATERAL (SELECT * FROM duework.%2$I AS r WHERE r.id = c.id OFFSET 0) AS j
            WHERE true %4$s
            OFFSET 0
          ) AS w
          WHERE w.fits IS DISTINCT FROM false
          LIMIT $6
        ) AS f', direction, relation, fits, extra, CASE WHEN is_upward THEN 'min' ELSE 'max' END)
      INTO ids, last_id USING args, ends_at, chosen, low_id, high_id, most;
    END IF;
    -- the first that nobody looked at any more
    IF cardinality(ids) < most THEN end_id := last_id + CASE WHEN is_upward THEN -1 ELSE 1 END; END IF;
    IF (is_upward AND end_id < low_id) OR (NOT is_upward AND end_id > high_id) THEN
      RAISE query_canceled USING MESSAGE = 'the search has taken too long';
    END IF;
    RETURN;
  END IF;

  LOOP
    IF source = 'days' THEN
      relation := duework.find_day(low_id, high_id, is_upward);
      EXIT WHEN relation IS NULL;
      IF looked >= budget THEN
        end_id := CASE WHEN is_upward THEN duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD')) - 1
          ELSE duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD') + 1) END;
        RETURN;
      END IF;
      looked := looked + 400;
    END IF;
    part := 2 * most;
    LOOP
      -- at least one, so that the next page begins behind it
      part := least(part, greatest(budget - looked, 1));
      EXECUTE format('
        SELECT coalesce(array_agg(w.id) FILTER (WHERE w.fits), ''{}''), count(w.fits), count(*),
          %s(w.id) FILTER (WHERE w.fits IS NOT NULL)
        FROM (
          SELECT j.id, %s AS fits FROM duework.%I AS j WHERE j.id BETWEEN $3 AND $4 %s ORDER BY j.id %s LIMIT $5
        ) AS w', CASE WHEN is_upward THEN 'max' ELSE 'min' END, fits, relation, extra, direction)
      INTO chosen, seen, had, last_id USING args, ends_at, low_id, high_id, part;
      ids := (ids || chosen)[1:most];
      IF cardinality(ids) = most THEN RETURN; END IF;
      looked := looked + seen;
      EXIT WHEN had < part AND seen = had;
      IF looked >= budget OR seen < had THEN
        IF last_id IS NULL AND began_at = (CASE WHEN is_upward THEN low_id ELSE high_id END) THEN
          RAISE query_canceled USING MESSAGE = 'the search has taken too long';
        END IF;
        end_id := coalesce(last_id, CASE WHEN is_upward THEN low_id - 1 ELSE high_id + 1 END);
        RETURN;
      END IF;
      IF is_upward THEN low_id := last_id + 1; ELSE high_id := last_id - 1; END IF;
      part := 4 * part;
    END LOOP;
    EXIT WHEN source <> 'days';
    IF is_upward THEN low_id := duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD') + 1);
    ELSE high_id := duework.first_id_of(to_date(right(relation, 8), 'YYYYMMDD')) - 1;
    END IF;
  END LOOP;
END
$$;

-- The running runs that fit a condition, the longest due first (`is_upward`: the other way round), with the places at
-- which they stand. Everything that runs is due, and among the first of its queue and priority, because claims take
-- the longest due first: no index knows what runs, for every claim would pay for it. A walk stops after `budget`
-- entries, and where there are many after 500 at least; what lies beyond the first of their ends is left to the next
-- page. A statement over the view live_jobs, whose settings leave no plan but to walk along job_runs_claim_idx.
--   queues  null: all of them
CREATE FUNCTION duework.find_running(
  queues text[], condition text, args text[], after_run_at timestamptz, after_id bigint, is_upward boolean,
  most integer, budget integer,
  OUT ids bigint[], OUT end_run_at timestamptz, OUT end_id bigint
)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  EXECUTE format('
    WITH RECURSIVE places (queue, priority) AS (
      (SELECT r.queue, r.priority FROM duework.job_runs r WHERE r.held_by IS NULL ORDER BY r.queue, r.priority LIMIT 1)
      UNION ALL
      SELECT next.*
      FROM places p
      CROSS JOIN LATERAL (
        SELECT r.queue, r.priority FROM duework.job_runs r
        WHERE r.held_by IS NULL AND (r.queue, r.priority) > (p.queue, p.priority)
        ORDER BY r.queue, r.priority LIMIT 1
      ) next
    ),
    asked AS MATERIALIZED (SELECT p.* FROM places p WHERE $2 IS NULL OR p.queue = ANY($2)),
    share AS MATERIALIZED (SELECT least($6, greatest(4 * $6 / greatest(count(*), 1), 500)) AS n FROM asked),
    walked AS MATERIALIZED (
      SELECT w.*
      FROM asked p
      CROSS JOIN LATERAL (
        SELECT d.*, row_number() OVER (ORDER BY d.run_at %1$s, d.id %1$s) AS position
        FROM (
          SELECT j.run_at, j.id, CASE WHEN j.status = ''running'' THEN (%3$s) IS TRUE ELSE false END AS fits
          FROM duework.live_jobs j
          WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
            AND (j.run_at, j.id) %2$s ($3, $4)
          ORDER BY j.run_at %1$s, j.id %1$s
          LIMIT (SELECT n FROM share)
        ) d
      ) w
    ),
    -- null where every walk came to its end
    cut AS MATERIALIZED (SELECT run_at, id FROM walked WHERE position = (SELECT n FROM share)
      ORDER BY run_at %1$s, id %1$s LIMIT 1),
    found AS MATERIALIZED (
      SELECT w.run_at, w.id
      FROM walked w
      WHERE w.fits AND NOT EXISTS (SELECT FROM cut c WHERE (w.run_at, w.id) %2$s (c.run_at, c.id))
      ORDER BY w.run_at %1$s, w.id %1$s
      LIMIT $5
    )
    SELECT coalesce((SELECT array_agg(id ORDER BY run_at %1$s, id %1$s) FROM found), ''{}''), c.run_at, c.id
    FROM (SELECT) one LEFT JOIN cut c ON (SELECT count(*) FROM found) < $5',
    CASE WHEN is_upward THEN 'DESC' ELSE 'ASC' END, CASE WHEN is_upward THEN '<' ELSE '>' END, condition)
  INTO ids, end_run_at, end_id USING args, queues, after_run_at, after_id, most, budget;
END
$$;

-- Runs by their ids, wherever they are, in no order.
CREATE FUNCTION duework.read_jobs(run_ids bigint[]) RETURNS SETOF duework.jobs
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT * FROM duework.live_jobs WHERE id = ANY(run_ids);
  -- a statement of its own, with the ids as constants: the partitions of other days are not opened
  RETURN QUERY EXECUTE 'SELECT * FROM duework.finished_jobs WHERE id = ANY($1)' USING run_ids;
END
$$;

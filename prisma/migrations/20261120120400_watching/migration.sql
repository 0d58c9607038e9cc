-- Watching: what waits, runs, is stuck or dead, what workers did, and who keeps VACUUM from
-- cleaning up.
--
-- Whoever asks must not slow down what is watched. So no index was made for these questions alone where a claim or a
-- settlement would have to write it: they walk along the indexes that claims and settlements use, and look at a
-- bounded number of rows. Where there are more, the answer says "at least".

-- ── What waits and runs ──

-- What workers run now. A run that was claimed was due, so that all of them are found among those: queue by queue and
-- priority by priority, past what is due in the future. Whoever asks walks over all that waits and is due, so ask
-- seldom where there is a backlog.
CREATE VIEW duework.running_runs AS
  WITH RECURSIVE firsts (queue, priority, run_at) AS (
    (SELECT queue, priority, run_at FROM duework.job_runs WHERE held_by IS NULL ORDER BY queue, priority, run_at LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM firsts f
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority, j.run_at
      FROM duework.job_runs j
      WHERE j.held_by IS NULL AND (j.queue, j.priority) > (f.queue, f.priority)
      ORDER BY j.queue, j.priority, j.run_at
      LIMIT 1
    ) next
  )
  SELECT r.*
  FROM firsts f
  CROSS JOIN LATERAL (
    SELECT *
    FROM duework.job_runs j
    WHERE j.held_by IS NULL AND j.queue = f.queue AND j.priority = f.priority AND j.run_at <= now()
      AND j.status = 'running'
    -- no join that the planner could turn around
    OFFSET 0
  ) r
  WHERE f.run_at <= now();
COMMENT ON VIEW duework.running_runs IS 'Runs that a worker has claimed and not ended';

-- Running for longer than their definition allows, or on a lease that nobody renews.
CREATE VIEW duework.stuck_jobs AS
  SELECT r.id, r.job_type, r.queue, r.locked_by AS worker, r.attempts, r.claimed_at,
    extract(epoch FROM now() - r.claimed_at)::float8 AS running_seconds, r.locked_until,
    r.locked_until < now() AS is_lease_expired
  FROM duework.running_runs r
  LEFT JOIN duework.job_definitions d ON d.type = r.job_type
  WHERE r.locked_until < now() OR r.claimed_at + d.timeout_ms * interval '1 millisecond' < now();
COMMENT ON VIEW duework.stuck_jobs IS 'Runs that run for too long, or whose lease has expired';

-- How much waits where, and for how long the oldest due run has been waiting. Of each queue and priority the first
-- `budget` runs that are due are counted, and as many of those that are not: where there are more, the figures of
-- that queue say at least, and a type none of whose runs is among them is not told. What runs is nearly always
-- counted, because it was due the longest. Runs that are held are not: the view queue_depth has them as well.
CREATE FUNCTION duework.count_queue_depth(budget integer)
RETURNS TABLE (
  queue text, job_type text, due bigint, scheduled bigint, retrying bigint, running bigint,
  oldest_waiting_seconds double precision, is_at_least boolean
)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (queue, priority) AS (
    (SELECT r.queue, r.priority FROM duework.job_runs r WHERE r.held_by IS NULL ORDER BY r.queue, r.priority LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority FROM duework.job_runs j
      WHERE j.held_by IS NULL AND (j.queue, j.priority) > (p.queue, p.priority)
      ORDER BY j.queue, j.priority LIMIT 1
    ) next
  ),
  counted AS MATERIALIZED (
    SELECT p.queue, w.job_type, w.status, w.is_due, count(*) AS runs, min(w.run_at) AS oldest_run_at,
      sum(count(*)) OVER (PARTITION BY p.queue, p.priority, w.is_due) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      (
        SELECT j.job_type, j.status, j.run_at, true AS is_due
        FROM duework.job_runs j
        WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
        ORDER BY j.run_at
        LIMIT budget
      )
      UNION ALL
      (
        SELECT j.job_type, j.status, j.run_at, false
        FROM duework.job_runs j
        WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at > now()
        ORDER BY j.run_at
        LIMIT budget
      )
    ) w
    GROUP BY p.queue, p.priority, w.job_type, w.status, w.is_due
  )
  SELECT c.queue, c.job_type,
    coalesce(sum(c.runs) FILTER (WHERE c.status <> 'running' AND c.is_due), 0)::bigint,
    coalesce(sum(c.runs) FILTER (WHERE c.status = 'queued' AND NOT c.is_due), 0)::bigint,
    coalesce(sum(c.runs) FILTER (WHERE c.status = 'failed' AND NOT c.is_due), 0)::bigint,
    coalesce(sum(c.runs) FILTER (WHERE c.status = 'running'), 0)::bigint,
    coalesce(extract(epoch FROM now() - min(c.oldest_run_at) FILTER (WHERE c.status <> 'running' AND c.is_due)),
      0)::float8,
    bool_or(bool_or(c.is_at_least)) OVER (PARTITION BY c.queue)
  FROM counted c
  GROUP BY c.queue, c.job_type
$$;

-- How many runs of each queue and priority are looked at, where `budget` would be of one: together four times as
-- many, and a tenth of it of each at least. What waits is told within the same time, however many queues there are.
CREATE FUNCTION duework.share_budget(budget integer) RETURNS integer
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
  WITH RECURSIVE places (queue, priority) AS (
    (SELECT r.queue, r.priority FROM duework.job_runs r WHERE r.held_by IS NULL ORDER BY r.queue, r.priority LIMIT 1)
    UNION ALL
    SELECT next.*
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.queue, j.priority FROM duework.job_runs j
      WHERE j.held_by IS NULL AND (j.queue, j.priority) > (p.queue, p.priority)
      ORDER BY j.queue, j.priority LIMIT 1
    ) next
  )
  SELECT greatest(budget / 10, least(budget, 4 * budget / greatest(count(*), 1)))::integer FROM places
$$;

-- ── What ran ──

-- Given up; they wait for somebody to look and to retry them.
CREATE VIEW duework.dead_jobs AS
  SELECT id, job_type, queue, attempts, error_code, error_type, last_error, failed_at, finished_at, created_at, payload
  FROM duework.job_history
  WHERE status = 'dead'
  ORDER BY finished_at DESC, id DESC;
COMMENT ON VIEW duework.dead_jobs IS 'Runs that were given up, newest first';

-- The newest finished run of a type: of the newest `days` days, or of the tables that have no days; no row: there is
-- none. A run finished by the end of the day after the one that its id carries, so that the walk ends where no older
-- day can have a newer one.
CREATE FUNCTION duework.find_last_run(of_type text, days integer) RETURNS SETOF duework.job_history
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  newest duework.job_history;
  other duework.job_history;
  part record;
BEGIN
  SELECT h.* INTO newest
  FROM (
    (SELECT d.* FROM duework.job_history_dead d WHERE d.job_type = of_type AND d.is_newest ORDER BY d.finished_at DESC
      LIMIT 1)
    UNION ALL
    (SELECT c.* FROM duework.job_history_cancelled c WHERE c.job_type = of_type AND c.is_newest
      ORDER BY c.finished_at DESC LIMIT 1)
    UNION ALL
    (SELECT l.* FROM duework.job_history_late l WHERE l.job_type = of_type AND l.is_newest ORDER BY l.finished_at DESC
      LIMIT 1)
    UNION ALL
    (SELECT p.* FROM duework.job_history_days_default p WHERE p.job_type = of_type AND p.is_newest
      ORDER BY p.finished_at DESC LIMIT 1)
  ) h
  ORDER BY h.finished_at DESC
  LIMIT 1;
  FOR part IN
    SELECT relname AS name, (to_date(right(relname, 8), 'YYYYMMDD') + 2)::timestamp AT TIME ZONE 'UTC' AS ended_by
    FROM pg_class
    WHERE relname > 'job_history_succeeded_'
      AND relname <= 'job_history_succeeded_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
      AND relnamespace = 'duework'::regnamespace AND relkind = 'r'
    ORDER BY relname DESC
    LIMIT days
  LOOP
    EXIT WHEN newest.finished_at >= part.ended_by;
    EXECUTE format('SELECT * FROM duework.%I WHERE job_type = $1 AND is_newest ORDER BY finished_at DESC LIMIT 1',
      part.name)
    INTO other USING of_type;
    IF other.id IS NOT NULL AND (newest.id IS NULL OR other.finished_at > newest.finished_at)
      THEN newest := other; END IF;
  END LOOP;
  IF newest.id IS NOT NULL THEN RETURN NEXT newest; END IF;
END
$$;

-- The next page of what has ended, in the order of the transactions that wrote it, `most` runs at most and of `types`
-- alone; null: of all. `after`: the cursor of the page before; null: from the oldest that is kept; now: nothing. The last
-- row has no run, but the cursor of this page, and whether it leads to the end of what there is; no cursor: `after` is
-- of another database, or of what this one has lost.
--
-- Nothing is missed: transactions commit in another order than they write, so that it ends where the oldest of those
-- begins that have not ended (xmin, of the very snapshot with which it reads). What is behind that is told by a later
-- page. A cursor is a transaction, a row of it that stands for others, the last of these that was told, and a day before
-- which nothing that follows has ended.
CREATE FUNCTION duework.read_ended(after text, types text[], most integer)
RETURNS TABLE (job duework.finished_jobs, next_cursor text, is_caught_up boolean)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  horizon xid8    := pg_snapshot_xmin(pg_current_snapshot());
  today   integer := floor(date_part('epoch', now()) / 86400);
  place   text[]  := string_to_array(coalesce(after, '0-0-0-0'), '-');
  -- what is not of the types is looked at, too
  looks   integer := CASE WHEN types IS NULL THEN most ELSE greatest(most, 1000) END;
  page    record;
BEGIN
  IF after = 'now' THEN
    RETURN QUERY SELECT NULL::duework.finished_jobs, format('%s-0-0-%s', horizon, today), true;
    RETURN;
  ELSIF place[1]::xid8 > pg_snapshot_xmax(pg_current_snapshot()) AND NOT pg_is_in_recovery() THEN
    RETURN QUERY SELECT NULL::duework.finished_jobs, NULL::text, false;
    RETURN;
  END IF;
  -- Planned for this place, so that only days in which something may follow are opened. What succeeded on the day of its
  -- id or the next one ended no earlier than the place, but for a transaction that was open for longer than a week.
  EXECUTE '
    WITH looked AS MATERIALIZED (
      SELECT * FROM (
        (SELECT d.ended_in, d.id, d.job_type, d.ended_with, d.finished_at FROM duework.job_history_days AS d
          WHERE d.ended_in IS NOT NULL AND (d.ended_in, d.id) >= ($1, $2) AND d.ended_in < $3 AND d.id >= $4
          ORDER BY d.ended_in, d.id LIMIT $5)
        UNION ALL
        (SELECT l.ended_in, l.id, l.job_type, l.ended_with, l.finished_at FROM duework.job_history_late AS l
          WHERE l.ended_in IS NOT NULL AND (l.ended_in, l.id) >= ($1, $2) AND l.ended_in < $3
          ORDER BY l.ended_in, l.id LIMIT $5)
        UNION ALL
        (SELECT g.ended_in, g.id, g.job_type, g.ended_with, g.finished_at FROM duework.job_history_dead AS g
          WHERE g.ended_in IS NOT NULL AND (g.ended_in, g.id) >= ($1, $2) AND g.ended_in < $3
          ORDER BY g.ended_in, g.id LIMIT $5)
        UNION ALL
        (SELECT c.ended_in, c.id, c.job_type, c.ended_with, c.finished_at FROM duework.job_history_cancelled AS c
          WHERE c.ended_in IS NOT NULL AND (c.ended_in, c.id) >= ($1, $2) AND c.ended_in < $3
          ORDER BY c.ended_in, c.id LIMIT $5)
      ) AS x
      ORDER BY x.ended_in, x.id LIMIT $5
    ),
    -- of the first row some may have been told
    left_over AS (
      SELECT x.*, sum(cardinality(x.ids)) OVER (ORDER BY x.ended_in, x.newest) - cardinality(x.ids) AS before
      FROM (
        SELECT s.ended_in, s.id AS newest, s.finished_at, CASE
          WHEN s.ended_with IS NULL THEN ARRAY[s.id]
          WHEN (s.ended_in, s.id) = ($1, $6) THEN ARRAY(SELECT i.id FROM unnest(s.ended_with) AS i (id) WHERE i.id > $7)
          ELSE s.ended_with
        END AS ids
        FROM looked AS s
        WHERE $8 IS NULL OR s.job_type = ANY($8)
      ) AS x
    ),
    told AS MATERIALIZED (
      SELECT o.ended_in, o.newest, i.id, o.finished_at
      FROM left_over AS o CROSS JOIN LATERAL unnest(o.ids) AS i (id)
      WHERE o.before < $9
      ORDER BY o.ended_in, o.newest, i.id LIMIT $9
    ),
    up_to AS (
      (SELECT t.ended_in, t.newest, t.id, t.finished_at FROM told AS t
        WHERE (SELECT count(*) FROM told) = $9
        ORDER BY t.ended_in DESC, t.newest DESC, t.id DESC LIMIT 1)
      UNION ALL
      (SELECT s.ended_in, s.id, s.id, s.finished_at FROM looked AS s
        WHERE (SELECT count(*) FROM told) < $9 AND (SELECT count(*) FROM looked) = $5
        ORDER BY s.ended_in DESC, s.id DESC LIMIT 1)
    )
    SELECT (SELECT array_agg(t.id ORDER BY t.ended_in, t.newest, t.id) FROM told AS t) AS ids,
      (SELECT format(''%s-%s-%s-%s'', u.ended_in, u.newest, u.id, floor(date_part(''epoch'', u.finished_at) / 86400))
        FROM up_to AS u) AS last'
  INTO page USING place[1]::xid8, place[2]::bigint + (place[3] = place[2])::integer, horizon,
    greatest(place[4]::integer - 7, 0) * 100000000000, looks, place[2]::bigint, place[3]::bigint, types, most;
  -- planned for these ids, so that only their days are opened
  RETURN QUERY EXECUTE 'SELECT f, NULL::text, NULL::boolean FROM duework.finished_jobs AS f WHERE f.id = ANY($1)
    ORDER BY array_position($1, f.id)' USING page.ids;
  -- a standby may not have come as far as the place
  RETURN QUERY SELECT NULL::duework.finished_jobs, CASE
    WHEN page.last IS NOT NULL THEN page.last
    WHEN horizon > place[1]::xid8 THEN format('%s-0-0-%s', horizon, today)
    ELSE after
  END, page.last IS NULL;
END
$$;
COMMENT ON FUNCTION duework.read_ended IS 'What has ended, page by page, each end at least once';

-- "When did it last run, and how did it end?" for every definition, within the newest 40 days.
CREATE VIEW duework.last_runs AS
  SELECT d.type AS job_type, d.version, h.id AS run_id, h.status, h.attempts, h.claimed_at, h.finished_at, h.error_code,
    h.last_error
  FROM duework.job_definitions d
  LEFT JOIN LATERAL duework.find_last_run(d.type, 40) h ON true;
COMMENT ON VIEW duework.last_runs IS 'The last finished run of each definition';

-- What an error is called: its code, or its class where nobody gave it a code. Neither has a value of a payload.
CREATE FUNCTION duework.name_error(code text, type text) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$ SELECT coalesce(nullif(code, 'unexpected_error'), type, code) $$;

-- How many attempts of each type ended lately, and how many of them failed, most with `error`; `since_at` is from when
-- on. What ends is
-- written at the end of its day's table, so that the last `pages` pages of each are its newest rows: where they do
-- not go back for all of `lately`, the figures are of the time that they do. No index of times, and never more than
-- these pages, however much is done. What is late is found by its index, 20 rows for a page.
CREATE FUNCTION duework.count_recent_attempts(lately interval, pages integer)
RETURNS TABLE (job_type text, attempts bigint, failed bigint, error text, since_at timestamptz)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  parts text := '';
  part  record;
BEGIN
  FOR part IN
    SELECT c.relname AS name, parent.is_failed, day.name = 'late' AS is_late,
      greatest(0, pg_relation_size(c.oid) / current_setting('block_size')::bigint - pages) AS first_page,
      -- what was interrupted or cancelled says nothing about its type
      CASE WHEN parent.is_failed THEN 'AND outcome IN (''failed'', ''lost'')' ELSE '' END AS condition,
      CASE WHEN parent.is_failed THEN 'duework.name_error(error_code, error_type)' ELSE 'NULL' END AS error
    FROM (VALUES ('job_history', 'job_history_succeeded', false), ('job_attempts', 'job_attempts', true))
      AS parent (name, day_name, is_failed)
    CROSS JOIN (
      SELECT 'late'
      UNION ALL
      -- the days whose runs may have ended lately
      SELECT to_char(at, 'YYYYMMDD')
      FROM generate_series(
        (now() - lately) AT TIME ZONE 'UTC' - interval '1 day', now() AT TIME ZONE 'UTC', interval '1 day'
      ) AS at
      UNION
      SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
    ) AS day (name)
    JOIN pg_class c ON c.oid = to_regclass(format(
      'duework.%I', CASE day.name WHEN 'late' THEN parent.name ELSE parent.day_name END || '_' || day.name
    ))
  LOOP
    parts := parts || CASE WHEN parts = '' THEN '' ELSE ' UNION ALL ' END || CASE
      WHEN part.is_late THEN format(
        '(SELECT %L, count(*) OVER () = %s, %L::boolean, job_type, finished_at, %s FROM duework.%I
          WHERE finished_at >= now() - $1 %s ORDER BY finished_at DESC LIMIT %2$s)',
        part.name, pages * 20, part.is_failed, part.error, part.name, part.condition)
      ELSE format(
        'SELECT %L, %L::boolean, %L::boolean, job_type, finished_at, %s FROM duework.%I
          WHERE ctid >= ''(%s,0)''::tid %s',
        part.name, part.first_page > 0, part.is_failed, part.error, part.name, part.first_page, part.condition)
    END;
  END LOOP;
  RETURN QUERY EXECUTE format('
    WITH seen (part, is_cut, is_failed, job_type, finished_at, error) AS MATERIALIZED (%s),
    start AS MATERIALIZED (
      SELECT greatest(now() - $1, max(o.at)) AS at
      FROM (SELECT min(finished_at) AS at FROM seen WHERE is_cut GROUP BY part) o
    )
    SELECT s.job_type, count(*), count(*) FILTER (WHERE s.is_failed), mode() WITHIN GROUP (ORDER BY s.error), start.at
    FROM seen s JOIN start ON s.finished_at >= start.at
    GROUP BY s.job_type, start.at', parts) USING lately;
END
$$;

-- ── Figures ──
--
-- What workers did, by queue and type: a line for each minute of the last day, and for each hour and each day of the
-- last 90. Workers add up in memory and add to all three once a minute. One of them samples what waits, once a
-- minute.
--
-- In all three there is a line for all queues and types together, of queue '' and type '*'. So 90 days are read from
-- 90 lines of each type, and what all did together from one line a step, however many types there are.

CREATE TABLE duework.figures_minutes (
  at         timestamptz NOT NULL,
  queue      text COLLATE "C" NOT NULL,
  job_type   text COLLATE "C" NOT NULL,
  -- attempts that began, and how they ended
  claimed    bigint      NOT NULL DEFAULT 0,
  succeeded  bigint      NOT NULL DEFAULT 0,
  failed     bigint      NOT NULL DEFAULT 0,
  dead       bigint      NOT NULL DEFAULT 0,
  cancelled  bigint      NOT NULL DEFAULT 0,
  snoozed    bigint      NOT NULL DEFAULT 0,
  -- how many waited, from due to claimed, and ran for how long: the n-th number counts times below 2^(n-1) ms and not
  -- below half of it
  waited     bigint[]    NOT NULL DEFAULT '{}',
  ran        bigint[]    NOT NULL DEFAULT '{}',
  waited_ms  double precision NOT NULL DEFAULT 0,
  ran_ms     double precision NOT NULL DEFAULT 0,
  -- the most that was seen by a sample; null: no sample has seen the type
  due            bigint,
  running        bigint,
  oldest_seconds double precision,
  -- due, and waiting at gates
  held           bigint,
  CONSTRAINT figures_minutes_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
CREATE TABLE duework.figures_hours (LIKE duework.figures_minutes INCLUDING DEFAULTS,
  CONSTRAINT figures_hours_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
CREATE TABLE duework.figures_days (LIKE duework.figures_hours INCLUDING DEFAULTS,
  CONSTRAINT figures_days_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
COMMENT ON TABLE duework.figures_minutes IS 'Work by queue and type, minute by minute, for a day';
COMMENT ON TABLE duework.figures_hours IS 'Work by queue and type, hour by hour, for 90 days';
COMMENT ON TABLE duework.figures_days IS 'Work by queue and type, day by day in UTC, for 90 days';

-- The sum of two lists of counts, the shorter one as if it went on with zeros.
CREATE FUNCTION duework.add_counts(a bigint[], b bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE
AS $$
  SELECT coalesce(array_agg(coalesce(t.x, 0) + coalesce(t.y, 0) ORDER BY t.place), '{}')
  FROM unnest(a, b) WITH ORDINALITY AS t (x, y, place)
$$;

-- ── The horizon ──
--
-- VACUUM may remove a dead row only when no snapshot that is still held could see it. Whoever holds an old one pins
-- the horizon, and every table that rows leave, job_runs first of all, grows until it lets go.

-- Which transaction number came next at which moment, written once a minute by look_for_alerts and kept for a day: what
-- pins is known by such a number, and a replication slot has no time of its own.
CREATE TABLE duework.xid_samples (
  seen_at timestamptz NOT NULL DEFAULT now(),
  xid     xid         NOT NULL DEFAULT pg_snapshot_xmax(pg_current_snapshot())::xid,
  CONSTRAINT xid_samples_pkey PRIMARY KEY (seen_at)
);
COMMENT ON TABLE duework.xid_samples IS 'Which transaction number came next, once a minute';

-- Whoever keeps VACUUM from removing dead rows of this database's tables, the oldest first. What counts is what
-- PostgreSQL counts (ComputeXidHorizons in procarray.c), for tables that are no catalogs:
--   sessions of this database: their transaction number and their snapshot; a snapshot of another database does not;
--   transaction numbers of any database, prepared ones too: they do not pin by themselves, but every snapshot that is
--     taken here meanwhile is as old as they are, and while work flows there always is one;
--   xmin of a replication slot, and what a standby without one sends back; catalog_xmin pins catalogs only;
--   not VACUUM, which others ignore, nor a walsender that decodes, for which its slot speaks; but ANALYZE.
-- Without pg_read_all_stats, `state`, `query` and the start of other roles' transactions are hidden; the rest is not.
CREATE VIEW duework.horizon_pins AS
  WITH pins AS (
    SELECT 'session' AS kind, a.pid, NULL::name AS name, a.datname AS database, a.usename AS username,
      a.application_name, a.state,
      greatest(age(a.backend_xid), CASE WHEN a.datname = current_database() THEN age(a.backend_xmin) END)
        AS transactions,
      a.xact_start AS started_at, left(a.query, 200) AS query,
      format('SELECT pg_terminate_backend(%s)', a.pid) AS remedy
    FROM pg_stat_activity a
    LEFT JOIN pg_stat_replication r ON r.pid = a.pid
    WHERE (a.backend_xid IS NOT NULL OR (a.backend_xmin IS NOT NULL AND a.datname = current_database()))
      -- who looks holds a snapshot, too; a parallel worker has the one of its leader
      AND a.pid <> pg_backend_pid() AND a.backend_type IS DISTINCT FROM 'parallel worker'
      -- a walsender that copies a table is in a transaction like others
      AND (r.pid IS NULL OR r.state = 'startup')
      AND NOT EXISTS (SELECT FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid)
    UNION ALL
    -- a value without a name would have another one in a restored dump, and the view another text
    SELECT 'prepared_transaction' AS kind, NULL::integer AS pid, p.gid, p.database, p.owner, NULL::text AS application_name,
      'prepared' AS state, age(p.transaction), p.prepared, NULL::text AS query,
      format('in database %2$I: COMMIT PREPARED %1$L or ROLLBACK PREPARED %1$L', p.gid, p.database)
    FROM pg_prepared_xacts p
    UNION ALL
    SELECT 'replication_slot' AS kind, s.active_pid, s.slot_name, s.database, NULL::name AS username,
      NULL::text AS application_name, CASE WHEN s.active THEN 'active' ELSE 'inactive' END,
      age(s.xmin), NULL::timestamptz AS started_at, NULL::text AS query,
      CASE WHEN s.active THEN 'on its standby: end the long query, or set hot_standby_feedback to off'
        ELSE format('bring its standby back, or give it up: SELECT pg_drop_replication_slot(%L)', s.slot_name) END
    FROM pg_replication_slots s
    WHERE s.xmin IS NOT NULL AND s.wal_status IS DISTINCT FROM 'lost'
    UNION ALL
    SELECT 'standby' AS kind, r.pid, r.application_name, NULL::name AS database, r.usename, r.application_name, r.state,
      age(r.backend_xmin), NULL::timestamptz AS started_at, NULL::text AS query,
      'on the standby: end the long query, or set hot_standby_feedback to off' AS remedy
    FROM pg_stat_replication r
    WHERE r.backend_xmin IS NOT NULL AND r.state IS DISTINCT FROM 'startup'
      AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
  )
  SELECT kind, pid, name, database, username, application_name, state, transactions,
    -- a transaction may have begun after the one that looks
    CASE WHEN started_at > now() THEN 0 ELSE extract(epoch FROM now() - started_at) END::float8 AS transaction_seconds,
    greatest(0, coalesce(extract(epoch FROM now() - CASE
      -- a long transaction may take a fresh snapshot for each statement: a sample that its number is younger than
      -- says so
      WHEN started_at IS NOT NULL THEN greatest(started_at,
        (SELECT s.seen_at FROM duework.xid_samples s WHERE age(s.xid) >= p.transactions ORDER BY s.seen_at DESC
          LIMIT 1))
      ELSE (SELECT s.seen_at FROM duework.xid_samples s WHERE age(s.xid) < p.transactions ORDER BY s.seen_at LIMIT 1)
    END), 0))::float8 AS pinned_seconds,
    query, remedy
  FROM pins p
  ORDER BY transactions DESC, started_at;
COMMENT ON VIEW duework.horizon_pins IS 'Who keeps VACUUM from removing dead rows, the oldest first';

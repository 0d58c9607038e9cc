-- Chores: what one worker at a time does for all of them.
--
-- Time is cut into periods of each chore's length, by the database's clock, and in each period the chore is the first one's
-- who asks. So nobody leads: whoever dies after it has taken a chore is followed by another one in the next period. All
-- chores are safe to do at any time and twice, so that a clock that steps does no harm. One statement asks for all of them.

CREATE TABLE duework.chores (
  name text COLLATE "C" NOT NULL,
  -- when somebody took it the last time
  taken_at timestamptz NOT NULL,
  -- of looks at leases: how long the last one took, and for how long there is no other one after it
  took_ms  double precision NOT NULL DEFAULT 0,
  rests_ms double precision NOT NULL DEFAULT 0,
  -- of those that an old snapshot slows: so many periods were let pass since it was done
  passed   integer          NOT NULL DEFAULT 0,
  CONSTRAINT chores_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE duework.chores IS 'When each chore was taken that one worker at a time does';

-- Whether a chore's period is another one than that in which it was taken. 0: it is due whenever somebody asks.
CREATE FUNCTION duework.is_chore_due(taken_at timestamptz, every_ms double precision) RETURNS boolean
LANGUAGE sql
VOLATILE
AS $$
  -- not now(): whoever has waited for a row compares with the moment at which it was taken
  SELECT every_ms = 0 OR floor(date_part('epoch', clock_timestamp()) * 1000 / nullif(every_ms, 0))
    IS DISTINCT FROM floor(date_part('epoch', taken_at) * 1000 / nullif(every_ms, 0))
$$;

-- Whether a lease is over, without reading what merely waits. There is no index of leases, for every claim would pay for
-- it. But claims take the oldest first, so of each queue and priority the due runs are read from the oldest on, a
-- thousand at a time, and no further than to a thousand of which nobody has one, nor is taking one (`xmax`: its row is
-- being written).
--
-- What is behind so many that nobody takes (their type is paused, or no worker has it, or they were enqueued into the
-- past) is left out: the view `running_runs` has those, too, and reads all that is due for them.
CREATE FUNCTION duework.is_lease_over() RETURNS boolean
LANGUAGE plpgsql
STABLE
AS $$
BEGIN
  -- plpgsql keeps its plan
  RETURN (
    WITH RECURSIVE places (queue, priority, run_at) AS (
      (SELECT queue, priority, run_at FROM duework.job_runs WHERE held_by IS NULL ORDER BY queue, priority, run_at LIMIT 1)
      UNION ALL
      SELECT next.*
      FROM places AS p
      CROSS JOIN LATERAL (
        SELECT j.queue, j.priority, j.run_at
        FROM duework.job_runs AS j
        WHERE j.held_by IS NULL AND (j.queue, j.priority) > (p.queue, p.priority)
        ORDER BY j.queue, j.priority, j.run_at
        LIMIT 1
      ) AS next
    )
    SELECT bool_or(found.is_over) IS TRUE
    FROM places AS p
    CROSS JOIN LATERAL (
      WITH RECURSIVE portions (run_at, id, is_over) AS (
        SELECT '-infinity'::timestamptz, 0::bigint, false
        UNION ALL
        SELECT portion.*
        FROM portions AS before
        CROSS JOIN LATERAL (
          -- behind what the next portion begins; null: there is none
          SELECT CASE WHEN bool_or(is_taken) THEN (array_agg(run_at))[1000] END, (array_agg(id))[1000], bool_or(is_over)
          FROM (
            SELECT j.run_at, j.id, j.status = 'running' OR j.xmax <> '0'::xid AS is_taken, j.locked_until < now() AS is_over
            FROM duework.job_runs AS j
            WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
              AND (j.run_at, j.id) > (before.run_at, before.id)
            ORDER BY j.run_at, j.id
            LIMIT 1000
          ) AS due
        ) AS portion
        WHERE before.run_at IS NOT NULL
      )
      SELECT bool_or(is_over) AS is_over FROM portions
    ) AS found
    WHERE p.run_at <= now()
  );
END
$$;

-- For how many milliseconds leases are not looked at again: looks take a hundredth of the time, and one comes each minute
-- at least. What is beyond 50 ms was spent on many thousands that run, or on rows that cannot be vacuumed. A slow look
-- after a quick one is a hiccup of the machine.
CREATE FUNCTION duework.rest_after_look(took_ms double precision, took_before_ms double precision) RETURNS double precision
LANGUAGE sql
IMMUTABLE
AS $$ SELECT least(60000, 100 * greatest(0, least(took_ms, took_before_ms) - 50)) $$;

-- Looks at leases, of which any may be over; every half minute at all that is due. What has been found is looked for in the
-- same way until somebody has rescued it.
CREATE FUNCTION duework.look_at_leases() RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  last    duework.chores;
  is_all  boolean := NOT EXISTS (
    SELECT FROM duework.chores AS c WHERE c.name = 'look at all' AND NOT duework.is_chore_due(c.taken_at, 30000));
  is_over boolean;
  began   timestamptz := clock_timestamp();
  took    double precision;
BEGIN
  SELECT c.* INTO last FROM duework.chores AS c WHERE c.name = 'look';
  IF last.taken_at <= began AND began < last.taken_at + last.rests_ms * interval '1 millisecond' THEN RETURN false; END IF;
  IF is_all THEN
    is_over := EXISTS (SELECT FROM duework.running_runs AS r WHERE r.locked_until < now());
  ELSE
    is_over := duework.is_lease_over();
  END IF;
  took := CASE WHEN is_over THEN 0 ELSE date_part('epoch', clock_timestamp() - began) * 1000 END;
  INSERT INTO duework.chores AS c (name, taken_at, took_ms, rests_ms)
  SELECT l.name, clock_timestamp(), took, CASE WHEN l.name = 'look' THEN duework.rest_after_look(took, coalesce(last.took_ms, 0)) ELSE 0 END
  FROM (VALUES ('look'), ('look at all')) AS l (name)
  WHERE l.name = 'look' OR is_all AND NOT is_over
  ON CONFLICT (name) DO UPDATE SET taken_at = excluded.taken_at, took_ms = excluded.took_ms, rests_ms = excluded.rests_ms;
  RETURN is_over;
END
$$;

-- Whether there is anything to do. Where that is not known without doing it, there is.
CREATE FUNCTION duework.has_chore(name text) RETURNS boolean
LANGUAGE plpgsql
STABLE
AS $$
BEGIN
  RETURN CASE split_part(name, ' ', 1)
    WHEN 'expire' THEN EXISTS (SELECT FROM duework.expiries AS e WHERE e.at <= now())
    WHEN 'batches' THEN EXISTS (SELECT FROM duework.job_batch_changes)
    WHEN 'keys' THEN EXISTS (SELECT FROM duework.flow_waits)
    WHEN 'bulk_actions' THEN EXISTS (SELECT FROM duework.bulk_actions AS a WHERE a.status = 'running') OR EXISTS (SELECT FROM duework.bulk_undos)
    ELSE true
  END;
END
$$;

-- Whether a chore changes rows that nobody waits for. While an old snapshot keeps every version of them, each such change only
-- makes tables and indexes larger, so it comes in one of six periods then. It is never left out: the days that come need their
-- partitions, and the disk ends.
CREATE FUNCTION duework.can_chore_wait(name text) RETURNS boolean
LANGUAGE sql
IMMUTABLE
AS $$
  SELECT split_part(name, ' ', 1) IN ('prune', 'depth', 'objects')
$$;

-- Takes those of the chores for which it is time and of which nobody else has this period, and returns those for which there
-- is something to do. Who asks learns how many handlers the workers of each queue run at once, where an operator has changed
-- it (null: nowhere). `rescue` is done here: its answer is whether a lease is over, and which workers are missing. Rows that
-- somebody else is at are his.
CREATE FUNCTION duework.take_chores(
  asked jsonb, OUT taken text[], OUT is_over boolean, OUT missing text[], OUT now_ms double precision, OUT identity text,
  OUT slots jsonb)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
DECLARE
  due text[];
  is_held boolean;
BEGIN
  now_ms := date_part('epoch', now()) * 1000;
  identity := (
    SELECT d.oid || ' ' || (SELECT date_part('epoch', min(m.applied_at)) FROM duework.migrations AS m)
    FROM pg_database AS d WHERE d.datname = current_database());
  slots := (SELECT jsonb_object_agg(q.queue, q.slots) FROM duework.queue_slots AS q);
  taken := '{}';
  SELECT array_agg(a.name) INTO due
  FROM jsonb_to_recordset(asked) AS a (name text, "everyMs" double precision)
  LEFT JOIN duework.chores AS c ON c.name = a.name
  WHERE c.name IS NULL OR duework.is_chore_due(c.taken_at, a."everyMs");
  -- nearly always: it only looks, and writes nothing
  IF due IS NULL THEN RETURN; END IF;

  INSERT INTO duework.chores (name, taken_at)
  SELECT d.name, '-infinity' FROM unnest(due) AS d (name)
  WHERE NOT EXISTS (SELECT FROM duework.chores AS c WHERE c.name = d.name)
  ORDER BY d.name
  ON CONFLICT DO NOTHING;
  is_held := EXISTS (SELECT FROM unnest(due) AS d (name) WHERE duework.can_chore_wait(d.name))
    -- from when it is an alert, too
    AND EXISTS (SELECT FROM duework.horizon_pins AS p WHERE p.pinned_seconds > 300);
  WITH mine AS MATERIALIZED (
    SELECT c.name
    FROM jsonb_to_recordset(asked) AS a (name text, "everyMs" double precision)
    JOIN duework.chores AS c ON c.name = a.name
    WHERE a.name = ANY (due) AND duework.is_chore_due(c.taken_at, a."everyMs")
    FOR UPDATE OF c SKIP LOCKED
  ),
  changed AS (
    UPDATE duework.chores AS c
    SET taken_at = clock_timestamp(),
      passed = CASE WHEN is_held AND duework.can_chore_wait(c.name) THEN (c.passed + 1) % 6 ELSE 0 END
    FROM mine AS m WHERE c.name = m.name RETURNING c.name, c.passed
  )
  SELECT coalesce(array_agg(c.name) FILTER (WHERE c.passed = 0), '{}') INTO taken FROM changed AS c;

  IF 'rescue' = ANY (taken) THEN
    missing := ARRAY(SELECT l.name FROM duework.lost_workers AS l ORDER BY l.name);
    is_over := duework.look_at_leases();
  END IF;
  taken := ARRAY(SELECT t.name FROM unnest(taken) AS t (name) WHERE t.name <> 'rescue' AND duework.has_chore(t.name));
END
$$;

-- Flow control: how many run at once, how many start in a while, in which order, and whose turn it is.
--
-- A run with flow control has gates: keys that must all have room before it may run. It is enqueued held (held_by, the
-- key at which it waits), and a held run is not in the claim's index, so that no claim walks over it. let_in decides
-- who of those that wait is next, and makes it an ordinary due run, which claims take like any other.
--
-- A slot belongs to a run, from the moment at which it is let in until it ends or is held again: let_in looks whether
-- the holders of a key still live, so that no counter has to be lowered, and each look mends what a crash has left.
--
-- The rules that keep this exact:
--   * who lets in holds the row locks of all keys that it decides about, taken in the order of the keys, and looks
--     with a snapshot that is younger than those locks;
--   * who holds the lock of a key waits for no run's row: what somebody else has locked is looked at again soon;
--   * whoever may stay open for long (an enqueue, a handler's own transaction) locks no key, but adds rows: a place in
--     a line (flow_waits), and a look to be taken (flow_looks), which is seen when it commits.

-- What contracts declare, and what people have changed: a limit, a rate, an order, a tenant or a breaker.
CREATE TABLE duework.flow_rules (
  -- limit/smtp: its kind and its name
  name       text COLLATE "C" NOT NULL,
  declared   jsonb       NOT NULL DEFAULT '{}',
  -- what a person has set of it: it holds until a person takes it back, whatever a deploy declares
  changed    jsonb,
  changed_by text,
  changed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- What holds, as let_in reads it; set_flow_rule writes these. How many units there are; null: no bound.
  max_units  integer,
  -- of a rate: the milliseconds of one unit, and how many may start at once after a rest: at least what fits into the
  -- 50 ms between two looks
  unit_ms    float8,
  burst      integer,
  -- of an order: a dead run keeps its key shut until somebody retries or acknowledges it
  blocks     boolean     NOT NULL DEFAULT false,
  CONSTRAINT flow_rules_pkey PRIMARY KEY (name),
  CONSTRAINT flow_rules_name_check CHECK (name ~ '^(limit|rate|order|tenant|breaker)/[^/]{1,150}$'),
  CONSTRAINT flow_rules_changed_check CHECK ((changed IS NULL) = (changed_at IS NULL))
);
COMMENT ON TABLE duework.flow_rules IS 'Limits, rates, orders, tenants and breakers';

CREATE FUNCTION duework.set_flow_rule() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  rule jsonb  := coalesce(NEW.declared || NEW.changed, NEW.declared);
  most float8 := rule ->> 'max';
BEGIN
  NEW.max_units := CASE WHEN NEW.name LIKE 'limit/%' THEN most END;
  NEW.unit_ms := CASE WHEN NEW.name LIKE 'rate/%' THEN (rule ->> 'perMs')::float8 / most END;
  NEW.burst := CASE WHEN NEW.unit_ms IS NOT NULL
    THEN greatest(least(coalesce((rule ->> 'burst')::float8, 1), most)::integer, ceil(50 / NEW.unit_ms)::integer) END;
  NEW.blocks := coalesce(rule ->> 'onDead' = 'block', false);
  RETURN NEW;
END
$$;
CREATE TRIGGER flow_rules_set BEFORE INSERT OR UPDATE ON duework.flow_rules
  FOR EACH ROW EXECUTE FUNCTION duework.set_flow_rule();

-- A key of a rule: the rule's name or, where it is by a field, the name and the value, limit/send_mail.accountId/7. Its
-- row is the lock of the key.
CREATE TABLE duework.flow_keys (
  key          text COLLATE "C" NOT NULL,
  rule         text COLLATE "C" NOT NULL,
  -- the runs that hold it, and how many units each; looked up whenever somebody looks at the key
  holders      bigint[] NOT NULL DEFAULT '{}',
  units        integer[] NOT NULL DEFAULT '{}',
  -- of a rate: the moment up to which its units are used up (GCRA, ITU-T I.371)
  next_at      timestamptz,
  -- nothing is let in before: a handler was told to wait, or the breaker is open
  closed_until timestamptz,
  closed_ms    float8,
  -- of a breaker: the last attempts, oldest first, 1 for a failure; and whether it tries one run at a time
  recent       text,
  is_trying    boolean  NOT NULL DEFAULT false,
  -- when it was last told of an attempt
  noted_at     timestamptz,
  -- the next look at it that is written down already
  look_at      timestamptz,
  CONSTRAINT flow_keys_pkey PRIMARY KEY (key),
  CONSTRAINT flow_keys_holders_check CHECK (cardinality(holders) = cardinality(units))
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
);
CREATE INDEX flow_keys_rule_idx ON duework.flow_keys (rule, key);

-- Who waits at a key and is due. Of an order the place is the run's number alone.
CREATE TABLE duework.flow_waits (
  key      text COLLATE "C" NOT NULL,
  priority smallint    NOT NULL,
  ready_at timestamptz NOT NULL,
  run_id   bigint      NOT NULL,
  CONSTRAINT flow_waits_pkey PRIMARY KEY (key, priority, ready_at, run_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0
);

-- When somebody should look at a key: now, where something was enqueued or has ended; later, where a rate has its next
-- unit, a closed key opens, or a run (run_id) becomes due or has waited for too long. Any number of the same is well: they
-- are taken together.
CREATE TABLE duework.flow_looks (
  at     timestamptz NOT NULL,
  key    text COLLATE "C" NOT NULL,
  run_id bigint,
  -- an attempt behind this breaker has succeeded, in a transaction that may lock no key
  has_succeeded boolean
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0
);
-- it has no key: a publication of all tables would refuse to delete its rows otherwise
ALTER TABLE duework.flow_looks REPLICA IDENTITY FULL;
CREATE INDEX flow_looks_at_idx ON duework.flow_looks (at);

-- The tenants of a queue of which runs wait, by whose turn it is: the lowest number is next.
CREATE TABLE duework.flow_turns (
  queue text COLLATE "C" NOT NULL,
  key   text COLLATE "C" NOT NULL,
  turn  float8 NOT NULL,
  CONSTRAINT flow_turns_pkey PRIMARY KEY (queue, key)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX flow_turns_turn_idx ON duework.flow_turns (queue, turn, key);

-- The rule of a key.
CREATE FUNCTION duework.rule_of_key(key text) RETURNS text
LANGUAGE sql
IMMUTABLE
AS $$ SELECT split_part(key, '/', 1) || '/' || split_part(key, '/', 2) $$;

-- Where a run stands in the line of a key: in an order by its number alone, elsewhere as in its queue.
CREATE FUNCTION duework.line_priority(key text, priority smallint) RETURNS smallint
LANGUAGE sql
IMMUTABLE
AS $$ SELECT CASE WHEN key LIKE 'order/%' THEN 0::smallint ELSE priority END $$;
CREATE FUNCTION duework.line_ready_at(key text, run_at timestamptz) RETURNS timestamptz
LANGUAGE sql
IMMUTABLE
AS $$ SELECT CASE WHEN key LIKE 'order/%' THEN '-infinity'::timestamptz ELSE run_at END $$;

-- Where a run waits that has begun and is to be tried again: at its first gate. Behind an order that waits for its
-- retries it keeps the order's key, and waits at the gate behind it; null: there is none, and it waits in the queue.
CREATE FUNCTION duework.gate_to_retry(gates text[]) RETURNS text
LANGUAGE sql
STABLE
AS $$
  SELECT CASE
    WHEN gates[1] LIKE 'order/%' AND NOT EXISTS (
      SELECT FROM duework.flow_rules AS u
      WHERE u.name = duework.rule_of_key(gates[1]) AND u.declared ->> 'onFailure' = 'step_over'
    ) THEN gates[2]
    ELSE gates[1]
  END
$$;

-- The usual case of let_in, at a third of its price: limits and orders of which each run takes one unit, and runs that
-- have no other gate. The keys are locked. Returns whom it has let in, and for which keys nothing is left to decide; what
-- is not so plain at a key is left as it is. Its settings are those of its callers.
--
-- A `worker` gets up to `slots` of them at once, of these queues, types and versions: they are claimed as a claim would do it,
-- and `taken` tells the same of each, and its queue, as JSON. Workers are told of all others; `is_all`: there are none.
CREATE FUNCTION duework.let_in_simply(
  keys text[], worker text DEFAULT NULL, queues text[] DEFAULT NULL, types text[] DEFAULT NULL, versions integer[] DEFAULT NULL,
  leases_ms float8[] DEFAULT NULL, slots integer DEFAULT 0,
  OUT ran bigint[], OUT decided text[], OUT taken text, OUT is_all boolean
)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  WITH state AS MATERIALIZED (
    SELECT k.ctid, k.key, k.holders AS old_holders,
      ARRAY(
        SELECT h.id FROM unnest(k.holders) AS h (id)
        -- not as a condition on held_by: the planner would take the claim's index for it, and walk all of that
        WHERE coalesce((
          SELECT CASE WHEN k.rule LIKE 'order/%' THEN j.held_by IS DISTINCT FROM k.key ELSE j.held_by IS NULL END
          FROM duework.job_runs AS j WHERE j.id = h.id
        ), false)
      ) AS holders,
      CASE WHEN k.rule LIKE 'order/%' THEN 1 ELSE u.max_units END AS most
    FROM duework.flow_keys AS k
    CROSS JOIN LATERAL (SELECT * FROM duework.flow_rules AS u WHERE u.name = k.rule LIMIT 1) AS u
    WHERE k.key = ANY(keys) AND (k.rule LIKE 'limit/%' OR k.rule LIKE 'order/%') AND NOT u.blocks
      AND k.closed_until IS NULL AND NOT k.is_trying AND 1 = ALL(k.units)
  ),
  picked AS MATERIALIZED (
    SELECT s.key, w.ctid, w.priority, w.ready_at, w.run_id
    FROM state AS s
    CROSS JOIN LATERAL (
      SELECT w.ctid, w.priority, w.ready_at, w.run_id FROM duework.flow_waits AS w WHERE w.key = s.key
      ORDER BY w.priority, w.ready_at, w.run_id LIMIT s.most - cardinality(s.holders)
    ) AS w
    WHERE s.most BETWEEN cardinality(s.holders) + 1 AND 100
  ),
  found AS MATERIALIZED (
    SELECT p.key, p.ctid AS stood_at, p.run_id, p.priority, r.ctid, r.fits
    FROM picked AS p
    CROSS JOIN LATERAL (
      SELECT j.ctid, worker IS NOT NULL AND j.queue = ANY(queues)
          AND ((j.job_type, j.job_version) IN (SELECT * FROM unnest(types, versions))) IS TRUE
          -- what has not started in time never does
          AND (j.terms IS NULL OR ((j.terms ->> 'expiresAt')::timestamptz <= moment
            AND j.attempts = 0 AND j.snoozed_at IS NULL AND j.releases IS NULL) IS NOT TRUE) AS fits
      FROM duework.job_runs AS j
      WHERE j.id = p.run_id AND j.held_by = p.key AND cardinality(j.gates) = 1 AND j.gate_units IS NULL
        -- the time of one that waits for an order may have been changed
        AND j.run_at <= moment
        AND (p.key LIKE 'order/%' OR (j.priority = p.priority AND j.run_at = p.ready_at))
      FOR UPDATE SKIP LOCKED
    ) AS r
  ),
  -- of a key all or none, so that nobody overtakes
  plain AS MATERIALIZED (
    SELECT s.key, s.ctid, s.holders, s.old_holders, f.ids
    FROM state AS s
    LEFT JOIN (SELECT p.key, count(*) AS count FROM picked AS p GROUP BY p.key) AS p ON p.key = s.key
    LEFT JOIN (SELECT f.key, count(*) AS count, array_agg(f.run_id) AS ids FROM found AS f GROUP BY f.key) AS f ON f.key = s.key
    WHERE s.most <= 100 AND p.count IS NOT DISTINCT FROM f.count
  ),
  fitting AS MATERIALIZED (
    SELECT f.run_id FROM found AS f JOIN plain AS p ON p.key = f.key WHERE f.fits ORDER BY f.priority, f.run_id LIMIT slots
  ),
  entered AS (
    UPDATE duework.job_runs AS r
    SET held_by = NULL, run_at = moment, (status, attempts, fence, locked_by, locked_until, claimed_at) = (
      SELECT CASE WHEN x.fits THEN 'running' ELSE r.status END, r.attempts + x.fits::integer, r.fence + x.fits::integer,
        CASE WHEN x.fits THEN worker END,
        CASE WHEN x.fits THEN moment + leases_ms[array_position(types, r.job_type)] * interval '1 millisecond' END,
        CASE WHEN x.fits THEN moment ELSE r.claimed_at END
      FROM (SELECT r.id = ANY(ARRAY(SELECT f.run_id FROM fitting AS f)) AS fits OFFSET 0) AS x
    )
    WHERE r.ctid = ANY(ARRAY(SELECT f.ctid FROM found AS f JOIN plain AS p ON p.key = f.key))
    RETURNING r.*
  ),
  stood AS (
    DELETE FROM duework.flow_waits AS w
    WHERE w.ctid = ANY(ARRAY(SELECT f.stood_at FROM found AS f JOIN entered AS e ON e.id = f.run_id))
  ),
  written AS (
    UPDATE duework.flow_keys AS k
    SET holders = x.holders, units = array_fill(1, ARRAY[cardinality(x.holders)])
    FROM (
      SELECT p.key, p.holders || coalesce(p.ids, '{}') AS holders FROM plain AS p
      WHERE p.ids IS NOT NULL OR p.holders <> p.old_holders
    ) AS x
    WHERE k.ctid = ANY(ARRAY(SELECT p.ctid FROM plain AS p)) AND k.key = x.key
  )
  SELECT ARRAY(SELECT e.id FROM entered AS e), ARRAY(
      SELECT p.key FROM plain AS p
      EXCEPT SELECT f.key FROM found AS f WHERE f.run_id NOT IN (SELECT e.id FROM entered AS e)
    ),
    (
      SELECT json_agg(json_build_array(
        e.id::text, e.fence, e.job_version, e.priority, e.attempts, e.max_attempts, 0,
        (date_part('epoch', moment - greatest(least(e.created_at, moment), 'epoch')) * 1e6)::bigint,
        e.job_type, e.idempotency_key, e.payload, e.meta, json_build_object('gates', e.gates, 'terms',
          CASE WHEN e.attempts = 1 AND e.snoozed_at IS NULL AND e.releases IS NULL THEN e.terms ELSE e.terms - 'expiresAt' END),
        e.queue, date_part('epoch', moment)
      ) ORDER BY e.priority, e.id)::text
      FROM entered AS e WHERE e.locked_by IS NOT NULL
    ),
    told.count = 0
  INTO ran, decided, taken, is_all
  FROM (
    SELECT count(duework.notify('duework_wake', q.queue))
    FROM (SELECT DISTINCT e.queue FROM entered AS e WHERE e.locked_by IS NULL) AS q
  ) AS told;
END
$$;

-- Who is next at these keys: lets runs in, and returns their ids. `turns`: how many of each tenant among the keys may
-- go on (turn_keys, turn_counts); without it none does. `makes_keys`: the rows that are missing are made, as they are for
-- `notes` too: a key is idle while the jobs of its rate or breaker run, and upkeep may have removed it.
--
-- A run whose type or queue is paused is not let in: it waits at the key of the pause, pause/type/send_mail, holding
-- nothing but its place in an order, so that a limit that others share has room for them. The end of the pause has a look
-- at that key, and asks for all its gates again.
--
-- It goes in rounds, because a run may find another of its gates shut: it then waits at that one, and the next in line
-- is looked at. What cannot be decided now, because a key or a run is locked by somebody else, is looked at again.
CREATE FUNCTION duework.let_in(
  look_at text[], turn_keys text[] DEFAULT NULL, turn_counts integer[] DEFAULT NULL, notes jsonb DEFAULT NULL,
  makes_keys boolean DEFAULT false
) RETURNS bigint[]
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_mergejoin = off
-- of lists of unknown length, each of hundreds: what may only be looked up is a LATERAL, with a limit or a lock
SET enable_nestloop = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  -- of one key in one round
  most     CONSTANT integer := 1000;
  todo     text[] := ARRAY(SELECT DISTINCT x.key FROM unnest(look_at) AS x (key) WHERE x.key IS NOT NULL ORDER BY x.key);
  locked   text[];
  more     text[];
  let_in   bigint[] := '{}';
  is_timed boolean := false;
  -- the holders of all keys were looked up, and are written down
  are_seen boolean := false;
  -- where a limit was raised thousands may go: the locks are given back meanwhile, and whoever looks next goes on
  until    CONSTANT timestamptz := clock_timestamp() + interval '200 milliseconds';
  moment   timestamptz;
  step     record;
BEGIN
  IF todo = '{}' THEN RETURN let_in; END IF;
  -- before any lock is taken, so that nobody waits here for somebody who waits for this one's locks
  IF makes_keys OR notes IS NOT NULL THEN
    IF (SELECT count(*) FROM duework.flow_keys AS k WHERE k.key = ANY(todo)) < cardinality(todo) THEN
      INSERT INTO duework.flow_keys (key, rule)
      SELECT x.key, duework.rule_of_key(x.key) FROM unnest(todo) AS x (key)
      WHERE NOT EXISTS (SELECT FROM duework.flow_keys AS k WHERE k.key = x.key OFFSET 0)
      ORDER BY x.key
      ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  locked := ARRAY(SELECT k.key FROM duework.flow_keys AS k WHERE k.key = ANY(todo) ORDER BY k.key FOR UPDATE);
  IF cardinality(locked) < cardinality(todo) THEN
    -- whoever takes a look makes the rows that are missing
    INSERT INTO duework.flow_looks (at, key)
    SELECT clock_timestamp(), x.key FROM unnest(todo) AS x (key) WHERE x.key NOT IN (SELECT unnest(locked));
  END IF;
  IF notes IS NOT NULL THEN PERFORM duework.take_notes(notes); END IF;
  -- which knows of no pauses
  IF NOT EXISTS (SELECT FROM duework.pauses AS p TABLESAMPLE SYSTEM (100) WHERE p.until IS NULL OR p.until > clock_timestamp()) THEN
    SELECT f.ran, ARRAY(SELECT unnest(todo) EXCEPT SELECT unnest(f.decided)) INTO let_in, todo
    FROM duework.let_in_simply(todo) AS f;
  END IF;
  FOR round IN 1..50 LOOP
    moment := clock_timestamp();
    EXIT WHEN todo = '{}' OR (round > 1 AND moment > until);
    WITH paused AS MATERIALIZED (
      SELECT p.kind, p.name, 'pause/' || p.kind || '/' || p.name AS key
      FROM duework.pauses AS p TABLESAMPLE SYSTEM (100) WHERE p.until IS NULL OR p.until > moment
    ),
    state AS MATERIALIZED (
      SELECT k.key, split_part(k.rule, '/', 1) AS kind, u.max_units, u.burst, u.unit_ms, k.next_at, k.is_trying,
        k.holders AS old_holders, live.holders, live.units,
        k.closed_until IS NOT NULL OR u.unit_ms IS NOT NULL AS is_timed,
        -- how many units more may start now
        CASE
          WHEN k.closed_until > moment OR k.key IN (SELECT p.key FROM paused AS p) THEN 0
          WHEN k.is_trying OR k.rule LIKE 'order/%' THEN 1 - live.used
          WHEN u.unit_ms IS NOT NULL THEN floor(1e-6 + u.burst
            - greatest(0, coalesce(date_part('epoch', k.next_at - moment) * 1000 / u.unit_ms, 0)))
          -- a key that was shut opens little by little: one, and one more in each tenth of the time that it was shut
          ELSE least(u.max_units, 1e6, 1 + floor(10 * date_part('epoch', moment - k.closed_until) * 1000 / k.closed_ms))
            - live.used
        END::integer AS free
      FROM duework.flow_keys AS k
      LEFT JOIN LATERAL (SELECT * FROM duework.flow_rules AS u WHERE u.name = k.rule LIMIT 1) AS u ON true
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(h.id ORDER BY h.place), '{}') AS holders,
          coalesce(array_agg(h.unit ORDER BY h.place), '{}') AS units, coalesce(sum(h.unit), 0) AS used
        FROM unnest(k.holders, k.units) WITH ORDINALITY AS h (id, unit, place)
        -- not as a condition on held_by: the planner would take the claim's index for it, and walk all of that
        WHERE are_seen OR coalesce((
            SELECT CASE WHEN k.rule LIKE 'order/%'
              -- it keeps the order while it waits at gates behind it
              THEN j.held_by IS DISTINCT FROM k.key ELSE j.held_by IS NULL END
            FROM duework.job_runs AS j WHERE j.id = h.id
          ), false)
          -- a dead one keeps an order where the contract says so
          OR (u.blocks AND EXISTS (
            SELECT FROM duework.job_history_dead AS d
            WHERE d.id = h.id AND d.acknowledged_at IS NULL AND k.key = ANY(d.gates) OFFSET 0
          ))
      ) AS live
      WHERE k.key = ANY(locked)
    ),
    picked AS MATERIALIZED (
      SELECT a.key, w.priority, w.ready_at, w.run_id
      FROM (
        SELECT s.key, CASE s.kind WHEN 'tenant' THEN coalesce(turn_counts[array_position(turn_keys, s.key)], 0)
          ELSE least(s.free, most) END AS count
        FROM state AS s
        WHERE s.key IN (SELECT unnest(todo))
      ) AS a
      CROSS JOIN LATERAL (
        SELECT w.priority, w.ready_at, w.run_id FROM duework.flow_waits AS w WHERE w.key = a.key
        ORDER BY w.priority, w.ready_at, w.run_id LIMIT a.count
      ) AS w
      WHERE a.count > 0
    ),
    -- their rows, locked; one that somebody changes at the moment is passed by
    found AS MATERIALIZED (
      SELECT p.*, r.gates, r.gate_units, coalesce(array_position(r.gates, p.key), 0) AS at_place, (
          SELECT x.key FROM paused AS x
          WHERE (x.kind = 'type' AND x.name = r.job_type) OR (x.kind = 'queue' AND x.name = r.queue) LIMIT 1
        ) AS pause
      FROM picked AS p
      CROSS JOIN LATERAL (
        SELECT j.gates, j.gate_units, j.job_type, j.queue FROM duework.job_runs AS j
        -- the time of one that waits for an order may have been changed
        WHERE j.id = p.run_id AND j.held_by = p.key AND j.run_at <= moment
          AND (p.key LIKE 'order/%' OR (j.priority = p.priority AND j.run_at = p.ready_at))
        FOR UPDATE SKIP LOCKED
      ) AS r
    ),
    -- not there any more; locked by somebody; or due after this moment: enqueued since, or, where the clock was set
    -- back, later
    missed AS MATERIALIZED (
      SELECT p.*, r.run_at, r.run_at <= moment AS is_busy, r.run_at > moment AND r.run_at <= clock_timestamp() AS is_new
      FROM picked AS p
      LEFT JOIN LATERAL (
        SELECT j.run_at FROM duework.job_runs AS j
        WHERE j.id = p.run_id AND j.held_by = p.key
          AND (p.key LIKE 'order/%' OR (j.priority = p.priority AND j.run_at = p.ready_at))
        LIMIT 1
      ) AS r ON true
      WHERE (p.key, p.run_id) NOT IN (SELECT f.key, f.run_id FROM found AS f)
    ),
    later AS (
      INSERT INTO duework.flow_looks (at, key, run_id)
      SELECT g.run_at, g.key, g.run_id FROM missed AS g WHERE NOT g.is_busy AND NOT g.is_new
    ),
    needs AS MATERIALIZED (
      SELECT f.run_id, f.key, f.priority, f.ready_at, f.pause, g.gate, g.place, s.kind, s.free, s.key IS NOT NULL AS is_known,
        -- an order that it has from before it came here, and a turn that it was given, need no room
        coalesce(f.run_id = ANY(s.holders), false)
          OR (g.gate LIKE 'tenant/%' AND g.place <= f.at_place) OR (g.gate LIKE 'order/%' AND g.place < f.at_place)
          AS has_it,
        -- one that needs more than there is at all runs alone
        greatest(1, least(coalesce(g.unit, 1), s.max_units, s.burst)) AS unit
      FROM found AS f
      CROSS JOIN LATERAL unnest(f.gates, f.gate_units) WITH ORDINALITY AS g (gate, unit, place)
      LEFT JOIN state AS s ON s.key = g.gate
    ),
    judged AS MATERIALIZED (
      SELECT n.*, n.has_it OR (n.is_known AND n.kind <> 'tenant'
        -- one that is paused takes nothing but its place in an order
        AND sum(CASE WHEN n.has_it OR (n.pause IS NOT NULL AND n.kind <> 'order') THEN 0 ELSE n.unit END) OVER (
          PARTITION BY n.gate ORDER BY n.priority, n.ready_at, n.run_id
        ) <= n.free) AS has_room
      FROM needs AS n
    ),
    verdict AS MATERIALIZED (
      SELECT j.run_id, j.key, j.priority, j.ready_at, bool_and(j.has_room) AND j.pause IS NULL AS may_run,
        -- the first gate that is shut for it, whoever else is in line: that of an order before all
        CASE
          WHEN j.pause IS NOT NULL AND coalesce(bool_and(j.has_room) FILTER (WHERE j.gate LIKE 'order/%'), true) THEN j.pause
          WHEN bool_and(j.has_room) THEN NULL
          ELSE (array_agg(j.gate ORDER BY j.place) FILTER (
            WHERE NOT j.has_it AND j.is_known AND (j.kind = 'tenant' OR j.unit > j.free)
          ))[1]
        END AS shut_gate,
        coalesce(bool_and(j.has_room) FILTER (WHERE j.gate LIKE 'order/%'), true) AS has_order,
        bool_or(NOT j.is_known AND NOT j.has_it) AS is_open
      FROM judged AS j
      GROUP BY j.run_id, j.key, j.priority, j.ready_at, j.pause
    ),
    moved AS MATERIALIZED (
      SELECT v.* FROM verdict AS v
      WHERE NOT v.may_run AND v.shut_gate <> v.key AND (v.has_order OR v.shut_gate LIKE 'order/%')
    ),
    ran AS (
      UPDATE duework.job_runs AS r SET held_by = NULL, run_at = moment
      WHERE r.id = ANY(ARRAY(SELECT v.run_id FROM verdict AS v WHERE v.may_run))
      RETURNING r.id, r.queue
    ),
    parked AS (
      -- behind its turn it stands as of now: else one that is older, of a tenant that has had more turns, went before it
      UPDATE duework.job_runs AS r
      SET held_by = m.shut_gate, run_at = CASE WHEN m.key LIKE 'tenant/%' THEN moment ELSE r.run_at END
      FROM moved AS m
      WHERE r.id = ANY(ARRAY(SELECT m.run_id FROM moved AS m)) AND m.run_id = r.id
      RETURNING r.id, r.held_by, r.priority, r.run_at
    ),
    stood AS (
      DELETE FROM duework.flow_waits AS w
      WHERE w.ctid = ANY(ARRAY(
        SELECT x.ctid
        FROM (
          SELECT v.key, v.priority, v.ready_at, v.run_id FROM verdict AS v WHERE v.may_run
          UNION ALL SELECT m.key, m.priority, m.ready_at, m.run_id FROM moved AS m
          UNION ALL SELECT g.key, g.priority, g.ready_at, g.run_id FROM missed AS g
          WHERE g.run_at IS NULL OR NOT (g.is_busy OR g.is_new)
        ) AS l
        CROSS JOIN LATERAL (
          SELECT w.ctid FROM duework.flow_waits AS w
          WHERE w.key = l.key AND w.priority = l.priority AND w.ready_at = l.ready_at AND w.run_id = l.run_id
          LIMIT 1
        ) AS x
      ))
    ),
    stands AS (
      INSERT INTO duework.flow_waits (key, priority, ready_at, run_id)
      SELECT p.held_by, duework.line_priority(p.held_by, p.priority), duework.line_ready_at(p.held_by, p.run_at), p.id
      FROM parked AS p
      ON CONFLICT DO NOTHING
    ),
    -- who takes how much of which key; an order also whoever goes on to wait behind it
    taken AS MATERIALIZED (
      SELECT j.gate, array_agg(j.run_id) AS ids, array_agg(j.unit) AS units, sum(j.unit) AS unit
      FROM judged AS j JOIN verdict AS v ON v.run_id = j.run_id AND v.key = j.key
      WHERE NOT j.has_it
        AND (v.may_run OR (j.gate LIKE 'order/%' AND v.has_order AND v.run_id IN (SELECT m.run_id FROM moved AS m)))
      GROUP BY j.gate
    ),
    written AS (
      UPDATE duework.flow_keys AS k
      SET holders = x.holders, units = x.units, next_at = x.next_at
      FROM (
        SELECT s.key,
          s.holders || CASE WHEN s.is_counted THEN t.ids ELSE '{}' END AS holders,
          s.units || CASE WHEN s.is_counted THEN t.units ELSE '{}' END AS units,
          CASE WHEN t.gate IS NOT NULL AND s.unit_ms IS NOT NULL
            THEN greatest(s.next_at, moment) + t.unit * s.unit_ms * interval '1 millisecond' ELSE s.next_at END AS next_at
        FROM (
          SELECT s.*, (s.kind = 'limit' AND s.max_units IS NOT NULL) OR s.kind = 'order' OR s.is_trying AS is_counted
          FROM state AS s
        ) AS s
        LEFT JOIN taken AS t ON t.gate = s.key
        WHERE t.gate IS NOT NULL OR s.holders <> s.old_holders
      ) AS x
      WHERE k.key = ANY(locked) AND k.key = x.key
    )
    SELECT
      ARRAY(SELECT r.id FROM ran AS r) AS ran,
      (SELECT count(duework.notify('duework_wake', q.queue)) FROM (SELECT DISTINCT r.queue FROM ran AS r) AS q) AS told,
      (SELECT bool_or(s.is_timed) FROM state AS s) AS is_timed,
      -- where somebody was gone, or has gone on to another line: the next is looked at
      ARRAY(
        SELECT g.key FROM missed AS g WHERE g.is_busy IS NOT TRUE
        UNION SELECT m.key FROM moved AS m WHERE m.key NOT LIKE 'tenant/%'
        UNION SELECT p.key FROM picked AS p WHERE p.key NOT LIKE 'tenant/%' GROUP BY p.key HAVING count(*) = most
      ) AS advanced,
      -- where the first could not be decided on: another of his keys is not locked, or others of the round were before him
      ARRAY(
        SELECT DISTINCT v.key FROM verdict AS v
        WHERE NOT v.may_run AND v.run_id NOT IN (SELECT m.run_id FROM moved AS m) AND v.shut_gate IS DISTINCT FROM v.key
      ) AS undecided,
      ARRAY(
        SELECT DISTINCT j.gate FROM judged AS j JOIN verdict AS v ON v.run_id = j.run_id AND v.key = j.key
        WHERE NOT j.is_known AND NOT j.has_it AND (v.shut_gate IS NULL OR NOT v.has_order) ORDER BY 1
      ) AS unknown,
      ARRAY(SELECT DISTINCT g.key FROM missed AS g WHERE g.is_busy) AS busy,
      ARRAY(SELECT DISTINCT m.shut_gate FROM moved AS m WHERE m.shut_gate LIKE 'tenant/%') AS tenants,
      ARRAY(SELECT DISTINCT m.shut_gate FROM moved AS m WHERE m.shut_gate LIKE 'pause/%') AS pauses
    INTO step;
    let_in := let_in || step.ran;
    is_timed := is_timed OR step.is_timed;
    IF step.busy <> '{}' THEN
      INSERT INTO duework.flow_looks (at, key) SELECT moment + interval '100 milliseconds', x.key FROM unnest(step.busy) AS x (key);
    END IF;
    -- the pause may end before this commits, and whoever looks then does not see who has come
    IF step.pauses <> '{}' THEN
      INSERT INTO duework.flow_looks (at, key) SELECT moment, x.key FROM unnest(step.pauses) AS x (key);
    END IF;
    todo := todo || step.tenants;
    PERFORM duework.join_turns(ARRAY(SELECT x.key FROM unnest(todo) AS x (key) WHERE x.key LIKE 'tenant/%'));
    -- nobody waits for a lock here, because this one has some: what is locked is looked at in a transaction of its own
    more := CASE WHEN step.unknown = '{}' THEN '{}' ELSE ARRAY(
      SELECT k.key FROM duework.flow_keys AS k WHERE k.key = ANY(step.unknown) ORDER BY k.key FOR UPDATE SKIP LOCKED
    ) END;
    locked := locked || more;
    are_seen := more = '{}';
    IF step.undecided <> '{}' AND (more <> '{}' OR step.ran <> '{}' OR step.advanced <> '{}') THEN
      todo := step.advanced || step.undecided;
    ELSE
      todo := step.advanced;
      -- all of what it needs in one look, which locks it in order
      INSERT INTO duework.flow_looks (at, key)
      SELECT moment, x.key FROM unnest(step.undecided || step.unknown) AS x (key) WHERE step.undecided <> '{}';
    END IF;
  END LOOP;
  INSERT INTO duework.flow_looks (at, key) SELECT moment, x.key FROM unnest(todo) AS x (key);
  IF is_timed THEN PERFORM duework.plan_looks(locked); END IF;
  RETURN let_in;
END
$$;

-- let_in, for a worker with free slots, which gets whom let_in_simply lets in: so whoever waits in one line needs one commit
-- for each run. `is_all`: nothing was decided otherwise, nobody else was let in, and no look is due within a second.
CREATE FUNCTION duework.let_in_and_take(
  gates text[], notes jsonb, worker text, queues text[], types text[], versions integer[], leases_ms float8[], slots integer,
  OUT taken text, OUT is_all boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_mergejoin = off
SET enable_nestloop = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  todo text[];
BEGIN
  -- let_in makes the keys of notes before any is locked
  IF notes IS NULL THEN
    todo := ARRAY(SELECT k.key FROM duework.flow_keys AS k WHERE k.key = ANY(gates) ORDER BY k.key FOR UPDATE);
  END IF;
  IF cardinality(todo) = cardinality(gates)
    AND NOT EXISTS (SELECT FROM duework.pauses AS p TABLESAMPLE SYSTEM (100) WHERE p.until IS NULL OR p.until > clock_timestamp())
  THEN
    SELECT f.taken, f.is_all AND cardinality(f.decided) = cardinality(todo), ARRAY(SELECT unnest(todo) EXCEPT SELECT unnest(f.decided))
    INTO taken, is_all, todo
    FROM duework.let_in_simply(todo, worker, queues, types, versions, leases_ms, slots) AS f;
  ELSE
    todo := gates;
  END IF;
  IF todo <> '{}' THEN PERFORM duework.let_in(todo, notes => notes); END IF;
  is_all := is_all AND coalesce(
    (SELECT l.at FROM duework.flow_looks AS l ORDER BY l.at LIMIT 1) > clock_timestamp() + interval '1 second', true
  );
END
$$;

-- What the ends of attempts tell of keys, whose rows are locked: {"shut": {key: ms}} by a handler whose provider said to
-- come back later, and {"failed": {key: attempts}, "succeeded": {…}} of breakers. A breaker opens where its share of its
-- last attempts has failed: nothing is let in for its pause, then one at a time, until one has succeeded. What ends while
-- it is open began before that, and tells nothing new.
CREATE FUNCTION duework.take_notes(notes jsonb) RETURNS void
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  -- workers give back what they have claimed ahead
  SELECT count(duework.notify('duework_shut', s.value || ' ' || s.key)) FROM jsonb_each_text(notes -> 'shut') AS s;
  UPDATE duework.flow_keys AS k
  SET closed_until = greatest(k.closed_until, clock_timestamp() + s.value::float8 * interval '1 millisecond'),
    closed_ms = greatest(s.value::float8, 1)
  FROM jsonb_each_text(notes -> 'shut') AS s
  WHERE k.key = s.key;
  WITH told AS (
    UPDATE duework.flow_keys AS k
    SET recent = CASE WHEN x.opens OR x.shuts THEN '' ELSE x.recent END, noted_at = clock_timestamp(),
      is_trying = x.opens OR (k.is_trying AND NOT x.shuts),
      closed_until = CASE
        WHEN x.opens THEN clock_timestamp() + x.pause_ms * interval '1 millisecond'
        WHEN NOT x.shuts THEN k.closed_until
      END
    FROM (
      SELECT r.*,
        CASE WHEN r.is_trying THEN r.failed > 0 AND r.succeeded = 0
          ELSE length(r.recent) >= r.of AND length(replace(r.recent, '0', '')) >= r.share * r.of END AS opens,
        r.is_trying AND r.succeeded > 0 AS shuts
      FROM (
        SELECT k.key, k.is_trying, n.failed, n.succeeded, d.share, d.of, d.pause_ms,
          right(coalesce(k.recent, '') || repeat('0', n.succeeded) || repeat('1', n.failed), d.of) AS recent
        FROM (
          SELECT e.key, coalesce((notes -> 'failed' ->> e.key)::integer, 0) AS failed,
            coalesce((notes -> 'succeeded' ->> e.key)::integer, 0) AS succeeded
          FROM (
            SELECT jsonb_object_keys(notes -> 'failed') AS key UNION SELECT jsonb_object_keys(notes -> 'succeeded')
          ) AS e
        ) AS n
        JOIN duework.flow_keys AS k ON k.key = n.key
        JOIN duework.flow_rules AS u ON u.name = k.rule
        CROSS JOIN LATERAL (
          SELECT (o.held ->> 'share')::float8 AS share, (o.held ->> 'of')::integer AS of, (o.held ->> 'pauseMs')::float8 AS pause_ms
          FROM (SELECT coalesce(u.declared || u.changed, u.declared) AS held) AS o
        ) AS d
        WHERE k.closed_until IS NULL OR k.closed_until <= clock_timestamp()
      ) AS r
    ) AS x
    WHERE k.key = x.key
    RETURNING k.key, x.opens, x.pause_ms
  )
  -- what was let in while it was closed goes back, too
  SELECT count(duework.notify('duework_shut', t.pause_ms || ' ' || t.key)) FROM told AS t WHERE t.opens
$$;

-- Whether one of the gates is a breaker that has opened: an attempt behind it is a try.
CREATE FUNCTION duework.is_tried(gates text[]) RETURNS boolean
LANGUAGE sql
STABLE
AS $$
  SELECT EXISTS (SELECT FROM duework.flow_keys AS k WHERE k.key = ANY(gates) AND k.is_trying)
$$;

-- Takes before all others what has waited for longer than its contract allows (max_wait_ms), so that no priority starves:
-- of each queue and priority at most `most`, and returns how many.
CREATE FUNCTION duework.raise_waiting(most integer) RETURNS integer
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
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
  waits AS MATERIALIZED (SELECT d.type, d.max_wait_ms FROM duework.job_definitions d WHERE d.max_wait_ms IS NOT NULL),
  late AS MATERIALIZED (
    SELECT w.ctid
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.ctid FROM duework.job_runs j
      WHERE j.queue = p.queue AND j.priority = p.priority AND j.held_by IS NULL AND j.status IN ('queued', 'failed')
        AND j.run_at <= now() - (SELECT min(w.max_wait_ms) FROM waits w) * interval '1 millisecond'
        AND j.run_at <= now() - (SELECT w.max_wait_ms FROM waits w WHERE w.type = j.job_type) * interval '1 millisecond'
      ORDER BY j.run_at
      LIMIT most
      FOR UPDATE SKIP LOCKED
    ) w
    WHERE p.priority > 0 AND EXISTS (SELECT FROM waits)
  ),
  raised AS (
    UPDATE duework.job_runs j SET priority = 0 WHERE j.ctid = ANY(ARRAY(SELECT l.ctid FROM late l)) RETURNING j.id
  )
  SELECT count(*)::integer FROM raised
$$;

-- Writes down when keys are to be looked at that open by themselves and at which somebody waits. Their rows are locked.
CREATE FUNCTION duework.plan_looks(keys text[]) RETURNS void
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH planned AS (
    UPDATE duework.flow_keys AS k
    SET look_at = x.open_at
    FROM (
      SELECT k.key, greatest(clock_timestamp() + interval '10 milliseconds', CASE
        WHEN k.closed_until > clock_timestamp() THEN k.closed_until
        WHEN u.unit_ms IS NOT NULL THEN k.next_at + (1 - u.burst) * u.unit_ms * interval '1 millisecond'
        ELSE clock_timestamp() + k.closed_ms / 10 * interval '1 millisecond'
      END) AS open_at
      FROM duework.flow_keys AS k
      LEFT JOIN duework.flow_rules AS u ON u.name = k.rule
      WHERE k.key = ANY(keys)
        AND (u.unit_ms IS NOT NULL
          OR k.closed_until + coalesce(k.closed_ms, 0) * interval '2 milliseconds' > clock_timestamp())
        -- without OFFSET it would be joined, and all that wait would be read
        AND EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key OFFSET 0)
    ) AS x
    WHERE k.key = ANY(keys) AND k.key = x.key
      AND (k.look_at IS NULL OR k.look_at <= clock_timestamp() OR k.look_at > x.open_at)
    RETURNING k.look_at, k.key
  )
  INSERT INTO duework.flow_looks (at, key) SELECT p.look_at, p.key FROM planned AS p
$$;

-- Gives tenants at which runs wait a place among those who take turns in their queue: behind nobody who has had as many.
CREATE FUNCTION duework.join_turns(keys text[]) RETURNS void
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  INSERT INTO duework.flow_turns (queue, key, turn)
  SELECT split_part(x.key, '/', 2), x.key, coalesce((
    SELECT t.turn FROM duework.flow_turns AS t WHERE t.queue = split_part(x.key, '/', 2) ORDER BY t.turn LIMIT 1
  ), 0)
  FROM (SELECT DISTINCT unnest(keys)) AS x (key)
  -- without OFFSET it would be joined, and all that wait would be read
  WHERE EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = x.key OFFSET 0)
  ORDER BY x.key
  ON CONFLICT DO NOTHING
$$;

-- Takes before all others of their lines those of these runs that have waited for longer than their contracts allow; runs
-- and the moments of the looks at them. Another look is written for what is late later, or locked by somebody.
CREATE FUNCTION duework.raise_in_lines(runs bigint[], ats timestamptz[]) RETURNS void
LANGUAGE sql
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  WITH timed AS MATERIALIZED (
    SELECT r.*, l.at = r.run_at AS is_new FROM unnest(runs, ats) AS l (id, at)
    CROSS JOIN LATERAL (
      SELECT j.id, j.held_by, j.priority, j.run_at,
        j.run_at + (j.terms ->> 'maxWaitMs')::float8 * interval '1 millisecond' AS late_at
      FROM duework.job_runs AS j
      WHERE j.id = l.id AND j.held_by IS NOT NULL AND j.priority > 0 AND j.terms ? 'maxWaitMs'
      LIMIT 1
    ) AS r
    WHERE r.run_at <= clock_timestamp()
  ),
  late AS MATERIALIZED (
    SELECT t.* FROM timed AS t
    CROSS JOIN LATERAL (
      SELECT FROM duework.job_runs AS j
      WHERE j.id = t.id AND j.held_by = t.held_by AND j.priority = t.priority AND j.run_at = t.run_at
      FOR UPDATE SKIP LOCKED
    ) AS r
    WHERE t.late_at <= clock_timestamp()
  ),
  raised AS (UPDATE duework.job_runs AS j SET priority = 0 WHERE j.id = ANY(ARRAY(SELECT l.id FROM late AS l))),
  -- the place in an order is the run's number alone
  stood AS (
    DELETE FROM duework.flow_waits AS w
    WHERE w.ctid = ANY(ARRAY(
      SELECT x.ctid FROM late AS l
      CROSS JOIN LATERAL (
        SELECT w.ctid FROM duework.flow_waits AS w
        WHERE w.key = l.held_by AND w.priority = l.priority AND w.ready_at = l.run_at AND w.run_id = l.id
        LIMIT 1
      ) AS x
      WHERE l.held_by NOT LIKE 'order/%'
    ))
  ),
  stands AS (
    INSERT INTO duework.flow_waits (key, priority, ready_at, run_id)
    SELECT l.held_by, 0, l.run_at, l.id FROM late AS l WHERE l.held_by NOT LIKE 'order/%'
    ON CONFLICT DO NOTHING
  )
  INSERT INTO duework.flow_looks (at, key, run_id)
  SELECT greatest(t.late_at, clock_timestamp() + interval '100 milliseconds'), t.held_by, t.id FROM timed AS t
  WHERE t.id NOT IN (SELECT l.id FROM late AS l) AND (t.is_new OR t.late_at <= clock_timestamp())
$$;

-- Holds the runs of a type or queue that were let in and that nobody has claimed: it is paused, and what cannot run is to
-- keep nothing from others.
CREATE FUNCTION duework.hold_let_in(of_kind text, of_name text) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  held bigint[];
BEGIN
  WITH changed AS (
    UPDATE duework.job_runs AS j SET held_by = 'pause/' || of_kind || '/' || of_name
    WHERE j.id = ANY(ARRAY(
      SELECT r.id
      FROM (SELECT DISTINCT unnest(k.holders) FROM duework.flow_keys AS k) AS x (id)
      CROSS JOIN LATERAL (
        SELECT j.id, j.held_by FROM duework.job_runs AS j
        WHERE j.id = x.id AND j.status IN ('queued', 'failed')
          AND CASE of_kind WHEN 'type' THEN j.job_type ELSE j.queue END = of_name
        FOR UPDATE SKIP LOCKED
      ) AS r
      WHERE r.held_by IS NULL
    ))
    RETURNING j.id
  )
  SELECT array_agg(c.id) INTO held FROM changed AS c;
  IF held IS NOT NULL THEN PERFORM duework.line_up(held); END IF;
END
$$;

-- Takes the looks that are due, at most `most`, and lets in whom it finds. Returns in how many milliseconds the next
-- one is due, 0 where more are due already; null: there is none.
CREATE FUNCTION duework.take_looks(most integer) RETURNS double precision
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
  keys   text[];
  runs   bigint[];
  ats    timestamptz[];
  notes  jsonb;
BEGIN
  WITH taken AS (
    DELETE FROM duework.flow_looks AS l
    WHERE l.ctid = ANY(ARRAY(
      SELECT l.ctid FROM duework.flow_looks AS l WHERE l.at <= moment ORDER BY l.at LIMIT most FOR UPDATE SKIP LOCKED
    ))
    RETURNING l.key, l.run_id, l.at, l.has_succeeded
  )
  SELECT array_agg(DISTINCT t.key), array_agg(t.run_id) FILTER (WHERE t.run_id IS NOT NULL),
    array_agg(t.at) FILTER (WHERE t.run_id IS NOT NULL),
    CASE WHEN bool_or(t.has_succeeded) THEN (
      SELECT jsonb_build_object('succeeded', jsonb_object_agg(s.key, s.count))
      FROM (SELECT t.key, count(*) AS count FROM taken AS t WHERE t.has_succeeded GROUP BY t.key) AS s
    ) END
  INTO keys, runs, ats, notes
  FROM taken AS t;
  IF runs IS NOT NULL THEN
    INSERT INTO duework.flow_waits (key, priority, ready_at, run_id)
    SELECT j.held_by, duework.line_priority(j.held_by, j.priority), duework.line_ready_at(j.held_by, j.run_at), j.id
    FROM duework.job_runs AS j
    WHERE j.id = ANY(runs) AND j.held_by IS NOT NULL AND j.run_at <= moment
    ON CONFLICT DO NOTHING;
    PERFORM duework.raise_in_lines(runs, ats);
  END IF;
  IF keys IS NOT NULL THEN
    -- who let in while the pause was written has not seen it
    PERFORM duework.hold_let_in(p.kind, p.name)
    FROM duework.pauses AS p TABLESAMPLE SYSTEM (100)
    WHERE (p.until IS NULL OR p.until > moment) AND 'pause/' || p.kind || '/' || p.name = ANY(keys);
    PERFORM duework.let_in(keys, notes => notes, makes_keys => true);
  END IF;
  RETURN (
    SELECT greatest(0, date_part('epoch', l.at - clock_timestamp()) * 1000)
    FROM duework.flow_looks AS l ORDER BY l.at LIMIT 1
  );
END
$$;

-- How many runs of a tenant may wait behind their turn at the limits and rates among these gates: as many as the
-- narrowest lets in at once, of a rate in 200 ms; null: as many as like.
CREATE FUNCTION duework.most_behind_turn(gates text[]) RETURNS integer
LANGUAGE sql
STABLE
AS $$
  SELECT min(least(greatest(1, coalesce(u.max_units, ceil(200 / u.unit_ms))), 1e6))::integer
  FROM unnest(gates) AS g (key)
  CROSS JOIN LATERAL (
    SELECT u.max_units, u.burst, u.unit_ms FROM duework.flow_rules AS u WHERE u.name = duework.rule_of_key(g.key) LIMIT 1
  ) AS u
  WHERE g.key ~ '^(limit|rate)/'
$$;

-- Lets up to `room` runs of a queue go on whose tenants wait for their turn: one of each, the one first that has had
-- the fewest for its weight, and again. A tenant's weight is that of its run that is next. Those that were let in before
-- and are not claimed yet count.
--
-- Turns come before limits and rates. A tenant gets none while as many of its runs wait behind their turn at one of
-- those as it takes at once: the next would only stand in its line, before those of tenants that come later.
CREATE FUNCTION duework.take_turns(of_queue text, room integer) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  of_all CONSTANT text := 'tenant/' || of_queue;
  ahead   bigint[];
  waiting bigint[];
  full_up text[];
  next_in bigint[];
  keys    text[];
  counts  integer[];
  weights integer[];
BEGIN
  IF NOT EXISTS (SELECT FROM duework.flow_turns AS t WHERE t.queue = of_queue) THEN RETURN; END IF;
  INSERT INTO duework.flow_keys (key, rule) SELECT of_all, of_all
  WHERE NOT EXISTS (SELECT FROM duework.flow_keys AS k WHERE k.key = of_all) ON CONFLICT DO NOTHING;
  -- one worker at a time; another one would only let in more of them
  PERFORM FROM duework.flow_keys AS k WHERE k.key = of_all FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  WITH turned AS MATERIALIZED (
    SELECT h.id, r.tenant, r.gate
    FROM duework.flow_keys AS k CROSS JOIN LATERAL unnest(k.holders) AS h (id)
    CROSS JOIN LATERAL (
      SELECT j.held_by AS gate, j.status, (SELECT g.key FROM unnest(j.gates) AS g (key) WHERE g.key LIKE 'tenant/%' LIMIT 1) AS tenant
      FROM duework.job_runs AS j WHERE j.id = h.id
    ) AS r
    WHERE k.key = of_all AND r.status <> 'running' AND r.gate IS DISTINCT FROM r.tenant
  )
  SELECT coalesce(array_agg(t.id) FILTER (WHERE t.gate IS NULL), '{}'),
    coalesce(array_agg(t.id) FILTER (WHERE t.gate IS NOT NULL), '{}'),
    ARRAY(
      SELECT w.tenant
      FROM (
        SELECT t.tenant, t.gate, count(*) AS count FROM turned AS t WHERE t.gate ~ '^(limit|rate)/' GROUP BY t.tenant, t.gate
      ) AS w
      WHERE w.count >= duework.most_behind_turn(ARRAY[w.gate])
    )
  INTO ahead, waiting, full_up
  FROM turned AS t;
  room := room - cardinality(ahead);
  IF room <= 0 THEN RETURN; END IF;
  -- the next turns of all: each tenant's come one apart, or a third where its weight is 3
  WITH next AS MATERIALIZED (
    SELECT t.key, t.turn, count(*) OVER () AS tenants
    FROM (SELECT t.key, t.turn FROM duework.flow_turns AS t
      WHERE t.queue = of_queue AND t.key <> ALL(full_up) ORDER BY t.turn, t.key LIMIT room) AS t
  ),
  weighted AS MATERIALIZED (
    SELECT n.*, coalesce(f.weight, 1) AS weight, least(room, f.most) AS most
    FROM next AS n
    LEFT JOIN LATERAL (
      SELECT j.gate_units[array_position(j.gates, n.key)] AS weight, duework.most_behind_turn(j.gates) AS most
      FROM duework.flow_waits AS w JOIN duework.job_runs AS j ON j.id = w.run_id
      WHERE w.key = n.key ORDER BY w.priority, w.ready_at, w.run_id LIMIT 1
    ) AS f ON true
  ),
  next_turns AS (
    SELECT n.key, n.weight
    FROM weighted AS n
    CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM (
        SELECT FROM duework.flow_waits AS w WHERE w.key = n.key
        LIMIT least(n.most, n.weight::bigint * (1 + room / n.tenants))
      ) AS w
    ) AS w
    -- one also where nobody waits any more, so that its place is removed below
    CROSS JOIN LATERAL generate_series(1, greatest(1, w.count)) AS g (place)
    ORDER BY n.turn + (g.place - 1)::float8 / n.weight, n.key
    LIMIT room
  ),
  given AS (SELECT t.key, t.weight, count(*)::integer AS count FROM next_turns AS t GROUP BY t.key, t.weight)
  SELECT array_agg(g.key), array_agg(g.count), array_agg(g.weight) INTO keys, counts, weights FROM given AS g;
  IF keys IS NULL THEN RETURN; END IF;
  next_in := ARRAY(
    SELECT w.run_id FROM unnest(keys, counts) AS g (key, count)
    CROSS JOIN LATERAL (
      SELECT w.run_id FROM duework.flow_waits AS w WHERE w.key = g.key
      ORDER BY w.priority, w.ready_at, w.run_id LIMIT g.count
    ) AS w
  );
  PERFORM duework.let_in(keys, keys, counts);
  -- those that wait for another turn, because somebody had their rows, are left out by the next look
  ahead := ahead || waiting || next_in;
  UPDATE duework.flow_keys AS k
  SET holders = ahead, units = array_fill(1, ARRAY[cardinality(ahead)])
  WHERE k.key = of_all;
  UPDATE duework.flow_turns AS t
  SET turn = t.turn + counts[array_position(keys, t.key)]::float8 / weights[array_position(keys, t.key)]
  WHERE t.queue = of_queue AND t.key = ANY(keys);
  DELETE FROM duework.flow_turns AS t
  WHERE t.queue = of_queue AND t.key = ANY(keys) AND NOT EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = t.key OFFSET 0);
END
$$;

-- How many runs with gates wait, by queue and type: due and held at one, or held until they are due. The first `budget`
-- of each are counted.
CREATE FUNCTION duework.count_held(budget integer)
RETURNS TABLE (queue text, job_type text, held bigint, scheduled bigint, retrying bigint, is_at_least boolean)
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET jit = off
AS $$
  WITH due AS MATERIALIZED (SELECT w.run_id FROM duework.flow_waits AS w LIMIT budget),
  later AS MATERIALIZED (SELECT l.run_id FROM duework.flow_looks AS l ORDER BY l.at LIMIT budget),
  -- one that has a place and a look is one
  first AS MATERIALIZED (SELECT d.run_id FROM due AS d UNION SELECT l.run_id FROM later AS l WHERE l.run_id IS NOT NULL)
  SELECT j.queue, j.job_type,
    count(*) FILTER (WHERE j.run_at <= now()),
    count(*) FILTER (WHERE j.run_at > now() AND j.status = 'queued'),
    count(*) FILTER (WHERE j.run_at > now() AND j.status = 'failed'),
    greatest((SELECT count(*) FROM due), (SELECT count(*) FROM later)) >= budget
  FROM first AS f
  CROSS JOIN LATERAL (
    SELECT j.queue, j.job_type, j.held_by, j.run_at, j.status FROM duework.job_runs AS j WHERE j.id = f.run_id OFFSET 0
  ) AS j
  WHERE j.held_by IS NOT NULL
  GROUP BY j.queue, j.job_type
$$;

CREATE VIEW duework.queue_depth AS
  SELECT queue, job_type, coalesce(d.due, 0) AS due, coalesce(d.scheduled, 0) + coalesce(h.scheduled, 0) AS scheduled,
    coalesce(d.retrying, 0) + coalesce(h.retrying, 0) AS retrying, coalesce(d.running, 0) AS running,
    coalesce(h.held, 0) AS held, coalesce(d.oldest_waiting_seconds, 0) AS oldest_waiting_seconds,
    coalesce(d.is_at_least, false) OR coalesce(h.is_at_least, false) AS is_at_least
  FROM duework.count_queue_depth(duework.share_budget(10000)) AS d
  FULL JOIN duework.count_held(10000) AS h USING (queue, job_type);
COMMENT ON VIEW duework.queue_depth IS 'Waiting and running work by queue and type';

-- Where runs of these stand that have gates: in line where they are due, else they are looked at when they are. Called
-- by whatever brings runs back, or changes their time or priority, in its own statement or transaction. It locks nothing.
CREATE FUNCTION duework.line_up(ids bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  WITH standing AS MATERIALIZED (
    SELECT j.id, j.held_by, j.priority, j.run_at, j.gates, j.terms FROM duework.job_runs AS j
    WHERE j.id = ANY(ids) AND j.held_by IS NOT NULL
  ),
  placed AS (
    INSERT INTO duework.flow_waits (key, priority, ready_at, run_id)
    SELECT s.held_by, duework.line_priority(s.held_by, s.priority), duework.line_ready_at(s.held_by, s.run_at), s.id
    FROM standing AS s
    WHERE s.run_at <= now()
    ON CONFLICT DO NOTHING
  )
  INSERT INTO duework.flow_looks (at, key, run_id)
  SELECT s.run_at, s.held_by, s.id FROM standing AS s WHERE s.run_at > now()
  UNION ALL
  -- one that may not wait for long
  SELECT s.run_at + (s.terms ->> 'maxWaitMs')::float8 * interval '1 millisecond', s.held_by, s.id FROM standing AS s
  WHERE s.run_at <= now() AND s.priority > 0 AND s.terms ? 'maxWaitMs'
  UNION ALL
  -- all gates, so that whoever takes the look has the rows of all of them
  SELECT DISTINCT now(), g.gate, NULL::bigint FROM standing AS s CROSS JOIN LATERAL unnest(s.gates) AS g (gate)
  WHERE s.run_at <= now();
END
$$;

-- A dead run that kept its order lets it go when somebody has acknowledged it, in whatever way.
CREATE FUNCTION duework.look_at_gates() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO duework.flow_looks (at, key) SELECT now(), g.gate FROM unnest(NEW.gates) AS g (gate);
  PERFORM duework.notify('duework_wake', NEW.queue);
  RETURN NULL;
END
$$;
CREATE TRIGGER job_history_dead_acknowledged AFTER UPDATE ON duework.job_history_dead
  FOR EACH ROW WHEN (NEW.gates IS NOT NULL AND OLD.acknowledged_at IS NULL AND NEW.acknowledged_at IS NOT NULL)
  EXECUTE FUNCTION duework.look_at_gates();

-- ── Upkeep ──
-- Nothing waits for ever, and no table grows for ever: whatever was lost (a row that somebody deleted, a dead run that
-- blocked and that retention has removed) is found, and what nobody needs any more is removed. Each walks over a portion
-- and answers where to go on, null at the end.

-- Whether nothing would be lost with the row of a key: nobody holds it or waits at it, it is open, its rate has rested,
-- and its breaker knows of no failure of the last day.
CREATE FUNCTION duework.is_idle_key(k duework.flow_keys) RETURNS boolean
LANGUAGE sql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
  SELECT NOT k.is_trying AND coalesce(k.next_at <= clock_timestamp(), true)
    AND coalesce(k.closed_until + coalesce(k.closed_ms, 0) * interval '2 milliseconds' <= clock_timestamp(), true)
    AND (strpos(coalesce(k.recent, ''), '1') = 0 OR coalesce(k.noted_at < clock_timestamp() - interval '1 day', true))
    AND NOT EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key)
    AND NOT EXISTS (
      SELECT FROM unnest(k.holders) AS h (id)
      WHERE EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = h.id OFFSET 0)
        OR EXISTS (SELECT FROM duework.job_history_dead AS d WHERE d.id = h.id AND d.acknowledged_at IS NULL OFFSET 0)
    )
$$;

-- Removes keys that are idle, and the turns of tenants with them. Whoever needs such a key later makes it again.
CREATE FUNCTION duework.prune_flow_keys(after text, most integer) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  idle    text[];
  locked  text[];
  go_from text;
BEGIN
  SELECT array_agg(p.key) FILTER (WHERE duework.is_idle_key(p.k)), CASE WHEN count(*) = most THEN max(p.key) END
  INTO idle, go_from
  FROM (
    SELECT k.key, k FROM duework.flow_keys AS k WHERE k.key > coalesce(after, '') ORDER BY k.key LIMIT most
  ) AS p;
  IF idle IS NULL THEN RETURN go_from; END IF;
  -- whoever has the lock of one uses it
  locked := ARRAY(
    SELECT k.key FROM duework.flow_keys AS k WHERE k.key = ANY(idle) ORDER BY k.key FOR UPDATE SKIP LOCKED
  );
  -- a snapshot that is younger than the locks: what has come since is seen
  WITH gone AS (
    DELETE FROM duework.flow_keys AS k WHERE k.key = ANY(locked) AND duework.is_idle_key(k) RETURNING k.key
  )
  DELETE FROM duework.flow_turns AS t
  WHERE t.ctid = ANY(ARRAY(
    SELECT x.ctid FROM gone AS g
    CROSS JOIN LATERAL (
      SELECT t.ctid FROM duework.flow_turns AS t WHERE t.queue = split_part(g.key, '/', 2) AND t.key = g.key LIMIT 1
    ) AS x
    WHERE g.key LIKE 'tenant/%'
  ));
  RETURN go_from;
END
$$;

-- Removes places in lines of runs that do not wait there any more. A run that comes back to its very place meanwhile is
-- found by find_lost_places.
CREATE FUNCTION duework.prune_flow_waits(after text, most integer) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  since   duework.flow_waits := coalesce(after, '("",0,-infinity,0)')::duework.flow_waits;
  go_from text;
BEGIN
  WITH portion AS MATERIALIZED (
    SELECT w.ctid, w.key, w.priority, w.ready_at, w.run_id, w FROM duework.flow_waits AS w
    WHERE (w.key, w.priority, w.ready_at, w.run_id) > (since.key, since.priority, since.ready_at, since.run_id)
    ORDER BY w.key, w.priority, w.ready_at, w.run_id LIMIT most
  ),
  gone AS (
    DELETE FROM duework.flow_waits AS w
    WHERE w.ctid = ANY(ARRAY(
      SELECT x.ctid FROM portion AS p
      -- locked first, so that this one waits for nobody
      CROSS JOIN LATERAL (SELECT w.ctid FROM duework.flow_waits AS w WHERE w.ctid = p.ctid FOR UPDATE SKIP LOCKED) AS x
      WHERE NOT coalesce((
        SELECT j.held_by = p.key AND (p.key LIKE 'order/%' OR (j.priority = p.priority AND j.run_at = p.ready_at))
        FROM duework.job_runs AS j WHERE j.id = p.run_id
      ), false)
    ))
  )
  SELECT CASE WHEN count(*) = most THEN (array_agg(p.w::text ORDER BY p.key, p.priority, p.ready_at, p.run_id))[most] END
  INTO go_from
  FROM portion AS p;
  RETURN go_from;
END
$$;

-- Removes looks at runs that are not held any more, or are due at another time; and looks at keys that nobody has taken for
-- an hour, because no worker has rules any more: find_forgotten_keys has those looked at at which somebody waits.
CREATE FUNCTION duework.prune_flow_looks(after text, most integer) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  since timestamptz := coalesce(after, '-infinity');
  upto  timestamptz := (SELECT l.at FROM duework.flow_looks AS l WHERE l.at > since ORDER BY l.at OFFSET most - 1 LIMIT 1);
BEGIN
  DELETE FROM duework.flow_looks AS l
  WHERE l.ctid = ANY(ARRAY(
    SELECT l.ctid FROM duework.flow_looks AS l
    WHERE l.at > since AND l.at <= coalesce(upto, 'infinity')
      AND CASE WHEN l.run_id IS NULL THEN l.at < now() - interval '1 hour' ELSE NOT coalesce((
        SELECT j.held_by IS NOT NULL AND (j.run_at = l.at OR (j.priority > 0 AND coalesce(j.terms ? 'maxWaitMs', false)))
        FROM duework.job_runs AS j WHERE j.id = l.run_id
      ), false) END
    FOR UPDATE SKIP LOCKED
  ));
  RETURN upto;
END
$$;

-- Brings runs into line that are held, were due a minute ago, and stand in none.
CREATE FUNCTION duework.find_lost_places(after text, most integer) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  lost    bigint[];
  go_from text;
BEGIN
  WITH portion AS MATERIALIZED (
    SELECT j.id, j.held_by, j.priority, j.run_at FROM duework.job_runs AS j
    WHERE j.id > coalesce(after, '0')::bigint ORDER BY j.id LIMIT most
  )
  SELECT CASE WHEN count(*) = most THEN max(p.id) END, array_agg(p.id) FILTER (
    WHERE p.held_by IS NOT NULL AND p.run_at <= now() - interval '1 minute' AND NOT EXISTS (
      SELECT FROM duework.flow_waits AS w
      WHERE w.key = p.held_by AND w.priority = duework.line_priority(p.held_by, p.priority)
        AND w.ready_at = duework.line_ready_at(p.held_by, p.run_at) AND w.run_id = p.id
    )
  )
  INTO go_from, lost
  FROM portion AS p;
  IF lost IS NOT NULL THEN PERFORM duework.line_up(lost); END IF;
  RETURN go_from;
END
$$;

-- Has keys looked at that seem to have room, and at which runs wait: nobody may have a look on its way. What is full, shut
-- or has a look written down is left alone; a look too many costs a look. It locks nothing.
CREATE FUNCTION duework.find_forgotten_keys(after text, most integer) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  moment  timestamptz := clock_timestamp();
  keys    text[];
  strays  text[];
  go_from text;
BEGIN
  -- from key to key, however many wait at each
  WITH RECURSIVE lines (key, place) AS (
    (SELECT w.key, 1 FROM duework.flow_waits AS w WHERE w.key > coalesce(after, '') ORDER BY w.key LIMIT 1)
    UNION ALL
    SELECT next.key, l.place + 1
    FROM lines AS l
    CROSS JOIN LATERAL (SELECT w.key FROM duework.flow_waits AS w WHERE w.key > l.key ORDER BY w.key LIMIT 1) AS next
    WHERE l.place < most
  ),
  forgotten AS (
    SELECT l.key FROM lines AS l
    LEFT JOIN LATERAL (SELECT * FROM duework.flow_keys AS k WHERE k.key = l.key LIMIT 1) AS k ON true
    LEFT JOIN LATERAL (SELECT * FROM duework.flow_rules AS u WHERE u.name = k.rule LIMIT 1) AS u ON true
    WHERE CASE
      WHEN l.key LIKE 'pause/%' THEN NOT EXISTS (
        SELECT FROM duework.pauses AS p TABLESAMPLE SYSTEM (100)
        WHERE 'pause/' || p.kind || '/' || p.name = l.key AND (p.until IS NULL OR p.until > moment)
      )
      WHEN k.key IS NULL THEN true
      WHEN l.key LIKE 'tenant/%' THEN NOT EXISTS (
        SELECT FROM duework.flow_turns AS t WHERE t.queue = split_part(l.key, '/', 2) AND t.key = l.key
      )
      WHEN k.closed_until > moment THEN false
      WHEN u.unit_ms IS NOT NULL THEN coalesce(k.look_at < moment - interval '5 seconds', true)
      ELSE (
        SELECT coalesce(sum(h.unit), 0) FROM unnest(k.holders, k.units) AS h (id, unit)
        WHERE EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = h.id OFFSET 0)
          OR (u.blocks AND EXISTS (SELECT FROM duework.job_history_dead AS d WHERE d.id = h.id OFFSET 0))
      ) < CASE WHEN k.is_trying OR l.key LIKE 'order/%' THEN 1 ELSE coalesce(u.max_units, 2147483647) END
    END
  ),
  -- the first of each line, and whoever was to be looked at a while ago
  standing AS (
    SELECT w.run_id, l.key FROM lines AS l
    CROSS JOIN LATERAL (
      SELECT w.run_id FROM duework.flow_waits AS w WHERE w.key = l.key
      ORDER BY w.priority, w.ready_at, w.run_id LIMIT 1
    ) AS w
    UNION ALL
    (
      SELECT l.run_id, l.key FROM duework.flow_looks AS l
      WHERE l.at < moment - interval '10 seconds' AND l.run_id IS NOT NULL ORDER BY l.at LIMIT most
    )
  ),
  strays AS (
    SELECT r.job_type FROM standing AS s
    CROSS JOIN LATERAL (SELECT duework.rule_of_key(s.key) AS name, s.key LIKE 'tenant/%' AS is_tenant OFFSET 0) AS g
    CROSS JOIN LATERAL (
      SELECT j.job_type, j.job_version FROM duework.job_runs AS j WHERE j.id = s.run_id AND j.held_by = s.key LIMIT 1
    ) AS r
    CROSS JOIN LATERAL (
      SELECT d.flow FROM duework.job_definitions AS d
      WHERE d.type = r.job_type AND d.version >= r.job_version AND d.gates_after IS NULL LIMIT 1
    ) AS d
    -- a tenant takes turns in any queue of its type
    WHERE s.key NOT LIKE 'pause/%' AND NOT EXISTS (
      SELECT FROM jsonb_array_elements(d.flow) AS f (rule)
      WHERE CASE WHEN g.is_tenant THEN f.rule ->> 'rule' LIKE 'tenant/%' ELSE f.rule ->> 'rule' = g.name END
    )
  )
  SELECT (SELECT max(l.key) FROM lines AS l HAVING count(*) = most), array_agg(f.key), ARRAY(SELECT DISTINCT s.job_type FROM strays AS s)
  INTO go_from, keys, strays
  FROM forgotten AS f;
  UPDATE duework.job_definitions AS d SET gates_after = 0
  WHERE d.type = ANY(ARRAY(
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.type = ANY(strays) AND d.gates_after IS NULL ORDER BY d.type FOR UPDATE SKIP LOCKED
  ));
  INSERT INTO duework.flow_looks (at, key) SELECT now(), unnest(keys);
  IF keys IS NOT NULL THEN PERFORM duework.notify('duework_wake', ''); END IF;
  RETURN go_from;
END
$$;

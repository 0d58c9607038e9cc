-- Alerts: what is wrong at the moment, what of it began, lasts and is over, and who is told.
--
-- Each alert has a name and a subject: the type, queue, rule, schedule or session that it is about. `find_alerts` has one
-- query for each name, and knows nothing of the past. `look_for_alerts` compares with the rows of `job_alerts`, and is the
-- only one that writes them. Whoever calls it gets what it has to tell, and nobody else gets the same.

CREATE TABLE duework.job_alerts (
  name      text COLLATE "C" NOT NULL,
  -- since when it is on, or was, the last time
  raised_at timestamptz NOT NULL,
  facts     jsonb       NOT NULL,
  -- '': the queue as a whole
  subject   text COLLATE "C" NOT NULL DEFAULT '',
  severity  text        NOT NULL DEFAULT 'warning',
  seen_at   timestamptz NOT NULL DEFAULT now(),
  -- null: it is on
  resolved_at timestamptz,
  -- how often it has come back, each time within an hour of its end: the longer it has to be gone to be over
  returns   integer     NOT NULL DEFAULT 0,
  -- A message is that it began, that it lasts or that it is over. Its number only grows, and whoever tells it names it, so
  -- that what was told of an older message says nothing of a newer one.
  message   bigint      NOT NULL DEFAULT 1,
  is_reminder boolean   NOT NULL DEFAULT false,
  -- by which ways the message has been told
  told      text[]      NOT NULL DEFAULT '{}',
  told_at   timestamptz,
  tries     integer     NOT NULL DEFAULT 0,
  -- nobody takes the message before
  tell_at   timestamptz NOT NULL DEFAULT now(),
  -- somebody looks after it: no message says that it lasts
  acknowledged_at timestamptz,
  acknowledged_by text,
  CONSTRAINT job_alerts_pkey PRIMARY KEY (name, subject)
);
COMMENT ON TABLE duework.job_alerts IS 'Alerts that are on, and those that were within 30 days';

-- Of which alerts nobody is told for a while. key: a name and a subject, a name, or * for all.
CREATE TABLE duework.alert_silences (
  key    text COLLATE "C" NOT NULL,
  since  timestamptz NOT NULL DEFAULT now(),
  until  timestamptz NOT NULL,
  by     text        NOT NULL,
  reason text,
  CONSTRAINT alert_silences_pkey PRIMARY KEY (key)
);
COMMENT ON TABLE duework.alert_silences IS 'Alerts of which nobody is told for a while';

CREATE FUNCTION duework.key_of_alert(name text, subject text) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$ SELECT CASE WHEN subject = '' THEN name ELSE name || '/' || subject END $$;

-- Dead jobs of which nobody knows whether something has happened, as long as nobody has looked at them.
CREATE INDEX job_history_dead_unknown_idx ON duework.job_history_dead (finished_at)
  WHERE acknowledged_at IS NULL AND error_code = 'effect_unknown';

-- What is wrong at this moment. Nothing of it counts all jobs: it looks at the first of each queue and priority, and at the
-- newest of the history. No fact has a value of a payload, and none names a flow key, which is made of one.
CREATE FUNCTION duework.find_alerts(limits jsonb DEFAULT '{}')
RETURNS TABLE (name text, subject text, facts jsonb)
LANGUAGE plpgsql
STABLE
SET enable_seqscan = off
SET enable_bitmapscan = off
SET max_parallel_workers_per_gather = 0
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  max_dead     integer := coalesce((limits ->> 'maxDeadPerHour')::integer, 10);
  keep_days    integer := coalesce((limits ->> 'keepDeadDays')::integer, 90);
  -- the shortest time of a type of its own
  least_days   integer := least(keep_days, (SELECT min(o.dead) FROM duework.own_retention(keep_days, keep_days) AS o));
  max_share    float8  := coalesce((limits ->> 'maxFailedShare')::float8, 0.5);
  min_attempts integer := coalesce((limits ->> 'minAttempts')::integer, 20);
  max_waiting  float8  := coalesce((limits ->> 'maxWaitingSeconds')::float8, 300);
  max_unserved float8  := coalesce((limits ->> 'maxUnservedSeconds')::float8, 300);
  max_horizon  float8  := coalesce((limits ->> 'maxHorizonSeconds')::float8, 300);
  max_late     float8  := coalesce((limits ->> 'maxUndecidedSeconds')::float8, 300);
  gb  constant numeric := 1024 ^ 3;
  longest      float8  := 0;
  place        record;
BEGIN
  -- jobs of a type that were given up within the last hour; those of types with few, together
  RETURN QUERY
  WITH died AS MATERIALIZED (
    SELECT d.job_type, duework.name_error(d.error_code, d.error_type) AS error
    FROM duework.job_history_dead d
    WHERE d.finished_at > now() - interval '1 hour'
    LIMIT greatest(10000, max_dead + 1)
  ),
  told AS (
    SELECT CASE WHEN count(*) OVER (PARTITION BY d.job_type) > max_dead THEN d.job_type ELSE '' END AS type, d.error FROM died d
  )
  SELECT 'too_many_dead_jobs', t.type, jsonb_strip_nulls(jsonb_build_object('type', nullif(t.type, ''),
    'deadInTheLastHour', count(*), 'limit', max_dead, 'error', mode() WITHIN GROUP (ORDER BY t.error)))
  FROM told t
  GROUP BY t.type
  HAVING count(*) > max_dead;

  -- dead jobs that are deleted within a week, or half of their retention where that is shorter, and that nobody has seen
  RETURN QUERY
  SELECT 'dead_runs_expire', '', jsonb_build_object('runs', count(*), 'keepDeadDays', (array_agg(e.kept ORDER BY e.goes_at))[1],
    'oldestGoesAt', to_char(min(e.goes_at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
  FROM (
    SELECT k.kept, date_trunc('day', d.finished_at AT TIME ZONE 'UTC') + (k.kept + 1) * interval '1 day' AS goes_at
    FROM duework.job_history_dead d
    LEFT JOIN duework.own_retention(keep_days, keep_days) AS o ON o.job_type = d.job_type
    CROSS JOIN LATERAL (SELECT coalesce(o.dead, keep_days) AS kept) AS k
    WHERE d.acknowledged_at IS NULL
      AND d.finished_at < now() - (k.kept - least(7, k.kept / 2.0)) * interval '1 day'
      AND d.finished_at < now() - (least_days - least(7, least_days / 2.0)) * interval '1 day'
    ORDER BY d.finished_at
    LIMIT 1000
  ) e
  HAVING count(*) > 0;

  -- dead jobs of which a person has to say whether something has happened
  RETURN QUERY
  SELECT 'effect_unknown', d.job_type,
    jsonb_build_object('type', d.job_type, 'runs', count(*), 'id', duework.outer_id((array_agg(d.id ORDER BY d.finished_at))[1])::text)
  FROM (
    SELECT u.job_type, u.id, u.finished_at FROM duework.job_history_dead u
    WHERE u.acknowledged_at IS NULL AND u.error_code = 'effect_unknown'
    ORDER BY u.finished_at
    LIMIT 1000
  ) d
  GROUP BY d.job_type;

  -- types of whose attempts too many have failed lately
  RETURN QUERY
  SELECT 'failing_job_type', c.job_type, jsonb_strip_nulls(jsonb_build_object('type', c.job_type, 'failed', c.failed,
    'attempts', c.attempts, 'share', round(c.failed::numeric / c.attempts, 2), 'limit', max_share,
    'seconds', round(extract(epoch FROM now() - c.since_at)), 'error', c.error))
  FROM duework.count_recent_attempts(interval '15 minutes', 500) c
  WHERE c.attempts >= min_attempts AND c.failed >= c.attempts * max_share AND c.failed > 0;

  -- The oldest due job of each queue. A pause is wanted, so what is paused does not wait: where any type is paused, the
  -- oldest of the others is looked for among the first 1,000 of a queue and priority.
  FOR place IN
    WITH RECURSIVE oldest (queue, priority, run_at) AS (
      (
        SELECT j.queue, j.priority, j.run_at
        FROM duework.job_runs AS j
        WHERE j.held_by IS NULL AND j.status IN ('queued', 'failed')
        ORDER BY j.queue, j.priority, j.run_at
        LIMIT 1
      )
      UNION ALL
      SELECT next.*
      FROM oldest AS o
      CROSS JOIN LATERAL (
        SELECT j.queue, j.priority, j.run_at
        FROM duework.job_runs AS j
        WHERE j.held_by IS NULL AND j.status IN ('queued', 'failed') AND (j.queue, j.priority) > (o.queue, o.priority)
        ORDER BY j.queue, j.priority, j.run_at
        LIMIT 1
      ) AS next
    ),
    pauses AS MATERIALIZED (
      -- as claims read it: an index would cost them a buffer
      SELECT p.kind, p.name FROM duework.pauses AS p TABLESAMPLE SYSTEM (100) WHERE p.until IS NULL OR p.until > now()
    )
    SELECT o.queue, extract(epoch FROM now() - min(o.run_at))::float8 AS seconds,
      extract(epoch FROM now() - min(
        CASE WHEN paused.types = '{}' THEN o.run_at ELSE (
          SELECT min(first.run_at)
          FROM (
            SELECT j.job_type, j.run_at
            FROM duework.job_runs AS j
            WHERE j.held_by IS NULL AND j.status IN ('queued', 'failed') AND j.queue = o.queue AND j.priority = o.priority
              AND j.run_at <= now()
            ORDER BY j.run_at
            LIMIT 1000
          ) AS first
          WHERE first.job_type <> ALL(paused.types)
        ) END
      ) FILTER (WHERE o.queue <> ALL(paused.queues)))::float8 AS unpaused_seconds
    FROM oldest AS o
    CROSS JOIN (
      SELECT ARRAY(SELECT p.name FROM pauses AS p WHERE p.kind = 'queue') AS queues,
        ARRAY(SELECT p.name FROM pauses AS p WHERE p.kind = 'type') AS types
    ) AS paused
    WHERE o.run_at <= now()
    GROUP BY o.queue
  LOOP
    longest := greatest(longest, place.seconds);
    IF place.unpaused_seconds > max_waiting THEN
      name := 'oldest_job_waits_too_long';
      subject := place.queue;
      facts := jsonb_build_object('queue', place.queue, 'waitingSeconds', round(place.unpaused_seconds), 'limit', max_waiting);
      RETURN NEXT;
    END IF;
  END LOOP;

  -- what no worker that lives can read: counted only where something has waited for that long
  IF longest > max_unserved THEN
    RETURN QUERY
    SELECT 'no_worker_for_type', format('%s@%s/%s', u.job_type, u.job_version, u.queue),
      jsonb_build_object('type', u.job_type, 'version', u.job_version, 'queue', u.queue, 'waiting', u.waiting,
        'waitingSeconds', round(extract(epoch FROM now() - u.oldest_due_at)), 'limit', max_unserved)
    FROM duework.count_unserved_jobs(1000) u
    WHERE u.oldest_due_at < now() - max_unserved * interval '1 second';
  END IF;

  -- due times of schedules about which nobody has decided: nobody ticks, or nobody can
  RETURN QUERY
  SELECT 'schedule_late', s.key, jsonb_build_object('schedule', s.key, 'limitSeconds', max_late,
    'dueAt', to_char(s.next_due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
  FROM duework.schedules s
  WHERE NOT s.is_paused AND s.next_due_at IS NOT NULL
    AND s.tick_at <= now() - max_late * interval '1 second'
    AND s.next_due_at + s.splay_offset_ms * interval '1 millisecond' <= now() - max_late * interval '1 second'
  ORDER BY s.tick_at
  LIMIT 1000;

  -- of each type the job that stopping workers have given back most often while it ran, where its contract allows fewer
  RETURN QUERY
  SELECT DISTINCT ON (j.job_type) 'job_released_too_often', j.job_type, jsonb_build_object('type', j.job_type,
    'id', duework.outer_id(j.id)::text, 'releases', j.releases, 'limit', coalesce(d.alert_after_releases, 5))
  FROM duework.released_runs AS r
  JOIN duework.job_runs AS j ON j.id = r.run_id
  LEFT JOIN duework.job_definitions AS d ON d.type = j.job_type
  WHERE j.releases > coalesce(d.alert_after_releases, 5)
  ORDER BY j.job_type, j.releases DESC, j.id;

  -- breakers that are open, or try one job at a time
  RETURN QUERY
  SELECT 'breaker_open', k.rule, jsonb_build_object('rule', k.rule, 'keys', count(*),
    'state', CASE WHEN max(k.closed_until) > now() THEN 'open' ELSE 'trying' END,
    'seconds', greatest(0, round(extract(epoch FROM max(k.closed_until) - now()))))
  FROM duework.flow_rules AS f
  CROSS JOIN LATERAL (
    SELECT k.rule, k.closed_until FROM duework.flow_keys AS k
    WHERE k.rule = f.name AND k.is_trying ORDER BY k.key LIMIT 1000
  ) AS k
  WHERE f.name LIKE 'breaker/%'
  GROUP BY k.rule;

  -- of each order the job that has been dead for the longest time while others wait for it, of 10,000 keys
  RETURN QUERY
  SELECT DISTINCT ON (k.rule) 'order_blocked', k.rule, jsonb_build_object('rule', k.rule, 'type', d.job_type,
    'id', duework.outer_id(d.id)::text, 'seconds', round(extract(epoch FROM now() - d.finished_at)),
    'keys', count(*) OVER (PARTITION BY k.rule))
  FROM duework.flow_rules AS f
  CROSS JOIN LATERAL (
    SELECT k.key, k.rule, k.holders FROM duework.flow_keys AS k
    WHERE k.rule = f.name AND k.holders <> '{}' ORDER BY k.key LIMIT 10000
  ) AS k
  CROSS JOIN LATERAL unnest(k.holders) AS h (id)
  CROSS JOIN LATERAL (
    SELECT d.id, d.job_type, d.finished_at FROM duework.job_history_dead AS d
    WHERE d.id = h.id AND d.acknowledged_at IS NULL OFFSET 0
  ) AS d
  WHERE f.blocks AND EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key)
  ORDER BY k.rule, d.finished_at, d.id;

  -- of each gate the job that has waited at it for the longest time, of the first 10,000 that stand in line
  RETURN QUERY
  SELECT DISTINCT ON (duework.rule_of_key(j.held_by)) 'held_job_waits_too_long', duework.rule_of_key(j.held_by),
    jsonb_build_object('rule', duework.rule_of_key(j.held_by), 'type', j.job_type, 'id', duework.outer_id(j.id)::text,
      'waitingSeconds', round(extract(epoch FROM now() - j.run_at)), 'limit', max_waiting)
  FROM (SELECT w.key, w.run_id FROM duework.flow_waits AS w LIMIT 10000) AS w
  CROSS JOIN LATERAL (
    SELECT j.id, j.job_type, j.held_by, j.run_at FROM duework.job_runs AS j WHERE j.id = w.run_id OFFSET 0
  ) AS j
  WHERE j.held_by = w.key AND w.key NOT LIKE 'pause/%' AND j.run_at < now() - max_waiting * interval '1 second'
  ORDER BY duework.rule_of_key(j.held_by), j.run_at, j.id;

  -- Who keeps dead rows from being removed, the ten oldest. Of a query only the first word, because alerts go to logs and
  -- over the network; the view shows more, to those who have the right.
  RETURN QUERY
  SELECT 'horizon_pinned', p.kind || ' ' || coalesce(p.pid::text, p.name::text, ''), jsonb_strip_nulls(jsonb_build_object(
    'kind', p.kind, 'pid', p.pid, 'name', p.name, 'database', p.database, 'user', p.username, 'application', p.application_name,
    'state', p.state, 'command', substring(p.query FROM '^[[:space:]]*([[:alpha:]]+)'),
    'pinnedSeconds', round(p.pinned_seconds), 'transactionSeconds', round(p.transaction_seconds),
    'transactions', p.transactions, 'deadRuns', pg_stat_get_dead_tuples('duework.job_runs'::regclass),
    'limit', max_horizon, 'remedy', p.remedy))
  FROM duework.horizon_pins AS p
  WHERE p.pinned_seconds > max_horizon
  ORDER BY p.transactions DESC, p.transaction_seconds DESC
  LIMIT 10;

  -- a disk that is nearly full, or will be within a week: looked at only where somebody has said how large it is
  IF EXISTS (SELECT FROM duework.retention AS r WHERE r.disk_bytes IS NOT NULL) THEN
    BEGIN
      RETURN QUERY
      SELECT 'disk_fills_up', '', jsonb_strip_nulls(jsonb_build_object('usedGb', round(s.used / gb, 2), 'diskGb', round(s.disk / gb, 2),
        'queueGb', round(s.bytes / gb, 2), 'growthGbADay', round(s.growth / gb, 2), 'neededGb', round(s.needed / gb, 2),
        'keepDays', s.keep_days, 'daysLeft', round(s.days_left::numeric, 1)))
      FROM duework.read_size() AS s
      WHERE s.used > s.disk * 0.9 OR s.days_left < 7;
    EXCEPTION WHEN lock_not_available THEN
      -- somebody rewrites or drops a table: the next look tells
      NULL;
    END;
  END IF;
END
$$;

CREATE VIEW duework.alert_conditions AS SELECT * FROM duework.find_alerts();
COMMENT ON VIEW duework.alert_conditions IS 'What is wrong at this moment, by the limits that hold where nobody has set any';

-- Looks at what is wrong, and returns what whoever calls it has to tell: that an alert began, that it lasts, each hour, and
-- that it is over. `severities`: of each name. `ways`: how the caller can tell it, beside its log.
--
-- Over is what nobody has seen for two minutes, and for longer where it comes and goes. Whoever gets a message has two
-- minutes to tell it, and says by `alert_told` what became of it; then others may. Rows that somebody else is at are left
-- to him.
CREATE FUNCTION duework.look_for_alerts(limits jsonb, severities jsonb, given text[])
RETURNS TABLE (name text, subject text, severity text, facts jsonb, status text, raised_at timestamptz,
  resolved_at timestamptz, message bigint, is_first boolean, ways text[])
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
  -- Nobody has looked for some time, as after a restart of everything: what waits has waited because nobody was there, so
  -- that only a look a minute later tells whether anybody is.
  is_start boolean := EXISTS (SELECT FROM duework.xid_samples x WHERE x.seen_at < now() - interval '210 seconds')
    AND NOT EXISTS (SELECT FROM duework.xid_samples x
      WHERE x.seen_at BETWEEN now() - interval '210 seconds' AND now() - interval '45 seconds');
BEGIN
  -- lets the pins of the next minutes be dated; one sample serves all who look, for those of other limits or ways look, too
  INSERT INTO duework.xid_samples (seen_at)
  SELECT now() WHERE NOT EXISTS (SELECT FROM duework.xid_samples x WHERE x.seen_at > now() - interval '30 seconds')
  ON CONFLICT DO NOTHING;
  DELETE FROM duework.xid_samples x WHERE x.seen_at < now() - interval '1 day' AND NOT is_start;
  DELETE FROM duework.released_runs AS r
  WHERE NOT EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = r.run_id AND j.releases IS NOT NULL);
  DELETE FROM duework.job_alerts a WHERE a.resolved_at < now() - interval '30 days';
  DELETE FROM duework.alert_silences s WHERE s.until < now();

  -- in one order, so that two who look wait for each other, and not both
  INSERT INTO duework.job_alerts AS a (name, subject, severity, facts, raised_at)
  SELECT w.name, w.subject, coalesce(severities ->> w.name, 'warning'), w.facts, now()
  FROM (
    SELECT f.*, row_number() OVER (PARTITION BY f.name ORDER BY f.subject) AS place FROM duework.find_alerts(limits) AS f
  ) w
  WHERE w.place <= 100 AND NOT (is_start AND NOT EXISTS (
      SELECT FROM duework.job_alerts o WHERE o.name = w.name AND o.subject = w.subject AND o.resolved_at IS NULL)
    AND w.name IN ('oldest_job_waits_too_long', 'no_worker_for_type', 'held_job_waits_too_long', 'schedule_late'))
  ORDER BY w.name, w.subject
  ON CONFLICT (name, subject) DO UPDATE SET
    severity = excluded.severity, facts = excluded.facts, seen_at = greatest(a.seen_at, now()),
    raised_at = CASE WHEN a.resolved_at IS NULL THEN a.raised_at ELSE now() END,
    -- it is back
    returns = CASE WHEN a.resolved_at IS NULL THEN a.returns
      WHEN a.resolved_at > now() - interval '1 hour' THEN least(a.returns + 1, 4) ELSE 0 END,
    message = a.message + (a.resolved_at IS NOT NULL)::integer,
    is_reminder = a.is_reminder AND a.resolved_at IS NULL,
    told = CASE WHEN a.resolved_at IS NULL THEN a.told ELSE '{}' END,
    told_at = CASE WHEN a.resolved_at IS NULL THEN a.told_at END,
    tries = CASE WHEN a.resolved_at IS NULL THEN a.tries ELSE 0 END,
    tell_at = CASE WHEN a.resolved_at IS NULL THEN a.tell_at ELSE least(a.tell_at, now() + interval '2 minutes') END,
    acknowledged_at = CASE WHEN a.resolved_at IS NULL THEN a.acknowledged_at END,
    acknowledged_by = CASE WHEN a.resolved_at IS NULL THEN a.acknowledged_by END,
    resolved_at = NULL
  -- not by who looked before it was over
  WHERE a.resolved_at IS NULL OR a.resolved_at < now();

  UPDATE duework.job_alerts AS a
  SET resolved_at = CASE WHEN e.is_over THEN now() END, is_reminder = NOT e.is_over, message = a.message + 1, told = '{}',
    -- no sooner than whoever tells the one before has had his time
    tries = 0, tell_at = least(a.tell_at, now() + interval '2 minutes')
  FROM (
    SELECT o.name, o.subject, o.seen_at <= now() - interval '2 minutes' * 2 ^ o.returns AS is_over
    FROM duework.job_alerts AS o
    WHERE o.resolved_at IS NULL AND (o.seen_at <= now() - interval '2 minutes' * 2 ^ o.returns
      OR ('log' = ANY (o.told) AND o.told_at <= now() - interval '1 hour' AND o.acknowledged_at IS NULL))
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS e
  WHERE a.name = e.name AND a.subject = e.subject;

  RETURN QUERY
  UPDATE duework.job_alerts AS a
  SET told = CASE WHEN t.is_first THEN array_append(a.told, 'log') ELSE a.told END,
    told_at = CASE WHEN t.is_first THEN now() ELSE a.told_at END,
    tries = a.tries + 1,
    tell_at = CASE WHEN t.ways = '{}' THEN now() ELSE now() + interval '2 minutes' END
  FROM (
    SELECT o.name, o.subject, 'log' <> ALL (o.told) AS is_first,
      ARRAY(SELECT w.way FROM unnest(given) AS w (way) WHERE w.way <> ALL (o.told) ORDER BY 1) AS ways
    FROM duework.job_alerts AS o
    WHERE NOT array_append(given, 'log') <@ o.told AND o.tell_at <= now()
      -- What is on has just been seen, or is a test. Of one of which nobody heard nobody hears the end; and what was on a day ago is no news.
      AND CASE WHEN o.resolved_at IS NULL THEN o.seen_at >= now() OR o.name = 'test' ELSE o.told_at IS NOT NULL AND o.resolved_at > now() - interval '1 day' END
      AND (o.resolved_at IS NOT NULL OR NOT EXISTS (SELECT FROM duework.alert_silences AS s
        WHERE s.until > now() AND s.key IN ('*', o.name, duework.key_of_alert(o.name, o.subject))))
    ORDER BY o.name, o.subject
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS t
  WHERE a.name = t.name AND a.subject = t.subject
  RETURNING a.name, a.subject, a.severity, a.facts,
    CASE WHEN a.resolved_at IS NOT NULL THEN 'resolved' WHEN a.is_reminder THEN 'lasts' ELSE 'raised' END,
    a.raised_at, a.resolved_at, a.message, t.is_first, t.ways;
END
$$;

-- Says what became of a message that was to be told: by which ways it was. What has failed is tried again, each time later.
CREATE FUNCTION duework.alert_told(of_name text, of_subject text, of_message bigint, ways text[], has_failed boolean) RETURNS void
LANGUAGE sql
AS $$
  UPDATE duework.job_alerts AS a
  SET told = a.told || ways, tell_at = now() + CASE WHEN has_failed
    THEN least(interval '30 minutes', interval '30 seconds' * 2 ^ least(a.tries, 10)) ELSE interval '0' END
  WHERE a.name = of_name AND a.subject = of_subject AND a.message = of_message
$$;

-- What workers did, by queue and type: a line for each minute of the last day, and for each hour of the last 90. Workers add up in
-- memory and add to both once a minute. One of them samples what waits, once a minute.
CREATE TABLE duework.figures_minutes (
  at         timestamptz NOT NULL,
  queue      text        NOT NULL,
  job_type   text        NOT NULL,
  -- attempts that began, and how they ended
  claimed    bigint      NOT NULL DEFAULT 0,
  succeeded  bigint      NOT NULL DEFAULT 0,
  failed     bigint      NOT NULL DEFAULT 0,
  dead       bigint      NOT NULL DEFAULT 0,
  cancelled  bigint      NOT NULL DEFAULT 0,
  snoozed    bigint      NOT NULL DEFAULT 0,
  -- how many waited, from due to claimed, and ran for how long: the n-th number counts times below 2^(n-1) ms and not below half of it
  waited     bigint[]    NOT NULL DEFAULT '{}',
  ran        bigint[]    NOT NULL DEFAULT '{}',
  waited_ms  double precision NOT NULL DEFAULT 0,
  ran_ms     double precision NOT NULL DEFAULT 0,
  -- the most that was seen by a sample; null: no sample has seen the type
  due            bigint,
  running        bigint,
  oldest_seconds double precision,
  CONSTRAINT figures_minutes_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
CREATE TABLE duework.figures_hours (LIKE duework.figures_minutes INCLUDING DEFAULTS,
  CONSTRAINT figures_hours_pkey PRIMARY KEY (at, queue, job_type)
) WITH (fillfactor = 60);
COMMENT ON TABLE duework.figures_minutes IS 'Work by queue and type, minute by minute, for a day';
COMMENT ON TABLE duework.figures_hours IS 'Work by queue and type, hour by hour, for 90 days';

-- The sum of two lists of counts, the shorter one as if it went on with zeros.
CREATE FUNCTION duework.add_counts(a bigint[], b bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE
AS $$
  SELECT coalesce(array_agg(coalesce(t.x, 0) + coalesce(t.y, 0) ORDER BY t.place), '{}') FROM unnest(a, b) WITH ORDINALITY AS t (x, y, place)
$$;

-- Flow control: what must have room before a run is let in, and who waits for it.
--
-- A run that has gates is written held: job_runs.held_by names the key at which it waits, and no claim sees it. Rows of
-- flow_waits and flow_looks are added by whoever enqueues; only workers lock keys, look, and let runs in.

-- Limits, rates, orders, tenants and breakers, by the names that contracts give them. A deploy writes `declared` and
-- never `changed`, which is an operator's and wins.
CREATE TABLE duework.flow_rules (
  -- <kind>/<name>
  name       text        NOT NULL,
  kind       text        NOT NULL,
  declared   jsonb       NOT NULL,
  changed    jsonb,
  changed_by text,
  changed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT flow_rules_pkey PRIMARY KEY (name),
  CONSTRAINT flow_rules_kind_check CHECK (kind IN ('limit', 'rate', 'order', 'tenant', 'breaker'))
);
COMMENT ON TABLE duework.flow_rules IS 'Limits, rates, orders, tenants and breakers';

-- Who holds how much of each key, and until when it is closed.
CREATE TABLE duework.flow_keys (
  key          text        NOT NULL,
  rule         text        NOT NULL,
  holders      bigint[]    NOT NULL DEFAULT '{}',
  units        integer[]   NOT NULL DEFAULT '{}',
  next_at      timestamptz,
  closed_until timestamptz,
  CONSTRAINT flow_keys_pkey PRIMARY KEY (key)
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
COMMENT ON TABLE duework.flow_keys IS 'Who holds how much of each key';

-- Runs that are due and wait at a key, in the order in which they are let in.
CREATE TABLE duework.flow_waits (
  key      text        NOT NULL,
  priority smallint    NOT NULL,
  ready_at timestamptz NOT NULL,
  run_id   bigint      NOT NULL,
  CONSTRAINT flow_waits_pkey PRIMARY KEY (key, priority, ready_at, run_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
COMMENT ON TABLE duework.flow_waits IS 'Runs that wait at a key';

-- "Look at this key at that moment"; `run_id`: that run is due then, and joins those that wait.
CREATE TABLE duework.flow_looks (
  at     timestamptz NOT NULL,
  key    text        NOT NULL,
  run_id bigint
) WITH (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off
);
CREATE INDEX flow_looks_at_idx ON duework.flow_looks (at);
COMMENT ON TABLE duework.flow_looks IS 'Keys to look at, and when';

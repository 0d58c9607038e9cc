-- The migrated database, as PostgreSQL describes it. Generated: npm run write -- schema
-- Daily partitions are left out.

CREATE SEQUENCE duework.job_runs_id_seq AS bigint MINVALUE 1 MAXVALUE 99999999999 INCREMENT BY 1 CYCLE;

CREATE SEQUENCE duework.published_events_id_seq AS bigint MINVALUE 1 MAXVALUE 9223372036854775807 INCREMENT BY 1;

CREATE TABLE duework.alert_silences (
  key text NOT NULL,
  since timestamp with time zone DEFAULT now() NOT NULL,
  until timestamp with time zone NOT NULL,
  by text NOT NULL,
  reason text,
  CONSTRAINT alert_silences_pkey PRIMARY KEY (key)
);

CREATE TABLE duework.api_keys (
  id text NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  created_by text,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_id_check CHECK ((id ~ '^[0-9a-z]{12}$'::text)),
  CONSTRAINT api_keys_name_check CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'::text)),
  CONSTRAINT api_keys_revoked_check CHECK (((revoked_by IS NULL) OR (revoked_at IS NOT NULL))),
  CONSTRAINT api_keys_scopes_check CHECK ((array_to_string(scopes, ','::text, '?'::text) ~ '^(enqueue(:[A-Za-z][A-Za-z0-9_.-]{0,62})?|type:[A-Za-z][A-Za-z0-9_.-]{0,62}|signal|approve|read|payloads|sensitive|operate|schedules|admin)(,(enqueue(:[A-Za-z][A-Za-z0-9_.-]{0,62})?|type:[A-Za-z][A-Za-z0-9_.-]{0,62}|signal|approve|read|payloads|sensitive|operate|schedules|admin))*$'::text)),
  CONSTRAINT api_keys_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);

CREATE TABLE duework.audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  by text NOT NULL,
  via text NOT NULL,
  from_address text,
  verb text NOT NULL,
  kind text NOT NULL,
  target text NOT NULL,
  before jsonb,
  after jsonb,
  reason text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_texts_check CHECK (((char_length(by) >= 1) AND (char_length(by) <= 1000) AND (char_length(reason) <= 1000) AND (char_length(from_address) <= 100) AND (verb ~ '^[a-z][a-z_]{0,62}$'::text) AND (kind ~ '^[a-z][a-z_]{0,62}$'::text) AND ((char_length(target) >= 1) AND (char_length(target) <= 255)))),
  CONSTRAINT audit_entries_via_check CHECK ((via = ANY (ARRAY['api'::text, 'command'::text, 'program'::text])))
);

CREATE TABLE duework.bulk_action_runs (
  bulk_action_id bigint NOT NULL,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL,
  run_ids bigint[] NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  stage text NOT NULL,
  CONSTRAINT bulk_action_runs_pkey PRIMARY KEY (bulk_action_id, stage, first_id)
);

CREATE TABLE duework.bulk_actions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  verb text NOT NULL,
  filter text NOT NULL,
  job_type text,
  options jsonb NOT NULL,
  undo_of bigint,
  status text DEFAULT 'running'::text NOT NULL,
  by text NOT NULL,
  via text NOT NULL,
  from_address text,
  reason text,
  total bigint NOT NULL,
  total_is_at_least boolean NOT NULL,
  done bigint DEFAULT 0 NOT NULL,
  refused jsonb DEFAULT '{}'::jsonb NOT NULL,
  stage text NOT NULL,
  after_id bigint DEFAULT 0 NOT NULL,
  last_id bigint NOT NULL,
  per_second integer NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  next_step_at timestamp with time zone DEFAULT now() NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT bulk_actions_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_actions_rate_check CHECK (((per_second >= 1) AND (per_second <= 1000000))),
  CONSTRAINT bulk_actions_status_check CHECK (((status = ANY (ARRAY['running'::text, 'finished'::text, 'aborted'::text])) AND ((status = 'running'::text) = (finished_at IS NULL)))),
  CONSTRAINT bulk_actions_undo_check CHECK (((verb = 'undo'::text) = (undo_of IS NOT NULL)))
);

CREATE TABLE duework.bulk_undos (
  bulk_action_id bigint NOT NULL,
  run_id bigint NOT NULL,
  fence bigint NOT NULL,
  was jsonb NOT NULL,
  as_left jsonb NOT NULL,
  CONSTRAINT bulk_undos_pkey PRIMARY KEY (bulk_action_id, run_id)
) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.carried_jobs (
  from_shard text NOT NULL,
  forward_id bigint NOT NULL,
  run_id bigint NOT NULL,
  carried_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT carried_jobs_pkey PRIMARY KEY (from_shard, forward_id)
);

CREATE TABLE duework.chores (
  name text NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  took_ms double precision DEFAULT 0 NOT NULL,
  rests_ms double precision DEFAULT 0 NOT NULL,
  passed integer DEFAULT 0 NOT NULL,
  CONSTRAINT chores_pkey PRIMARY KEY (name)
);

CREATE UNLOGGED TABLE duework.commit_checks (
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE duework.expiries (
  at timestamp with time zone NOT NULL,
  run_id bigint NOT NULL,
  CONSTRAINT expiries_pkey PRIMARY KEY (at, run_id)
) WITH (
  autovacuum_vacuum_cost_delay=0,
  autovacuum_vacuum_insert_scale_factor=0,
  autovacuum_vacuum_insert_threshold=50000,
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=2000,
  vacuum_truncate=off
);

CREATE TABLE duework.figures_days (
  at timestamp with time zone NOT NULL,
  queue text NOT NULL,
  job_type text NOT NULL,
  claimed bigint DEFAULT 0 NOT NULL,
  succeeded bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  dead bigint DEFAULT 0 NOT NULL,
  cancelled bigint DEFAULT 0 NOT NULL,
  snoozed bigint DEFAULT 0 NOT NULL,
  waited bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  ran bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  waited_ms double precision DEFAULT 0 NOT NULL,
  ran_ms double precision DEFAULT 0 NOT NULL,
  due bigint,
  running bigint,
  oldest_seconds double precision,
  held bigint,
  CONSTRAINT figures_days_pkey PRIMARY KEY (at, queue, job_type)
) WITH (
  fillfactor=60
);

CREATE TABLE duework.figures_hours (
  at timestamp with time zone NOT NULL,
  queue text NOT NULL,
  job_type text NOT NULL,
  claimed bigint DEFAULT 0 NOT NULL,
  succeeded bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  dead bigint DEFAULT 0 NOT NULL,
  cancelled bigint DEFAULT 0 NOT NULL,
  snoozed bigint DEFAULT 0 NOT NULL,
  waited bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  ran bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  waited_ms double precision DEFAULT 0 NOT NULL,
  ran_ms double precision DEFAULT 0 NOT NULL,
  due bigint,
  running bigint,
  oldest_seconds double precision,
  held bigint,
  CONSTRAINT figures_hours_pkey PRIMARY KEY (at, queue, job_type)
) WITH (
  fillfactor=60
);

CREATE TABLE duework.figures_minutes (
  at timestamp with time zone NOT NULL,
  queue text NOT NULL,
  job_type text NOT NULL,
  claimed bigint DEFAULT 0 NOT NULL,
  succeeded bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  dead bigint DEFAULT 0 NOT NULL,
  cancelled bigint DEFAULT 0 NOT NULL,
  snoozed bigint DEFAULT 0 NOT NULL,
  waited bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  ran bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  waited_ms double precision DEFAULT 0 NOT NULL,
  ran_ms double precision DEFAULT 0 NOT NULL,
  due bigint,
  running bigint,
  oldest_seconds double precision,
  held bigint,
  CONSTRAINT figures_minutes_pkey PRIMARY KEY (at, queue, job_type)
) WITH (
  fillfactor=60
);

CREATE TABLE duework.flow_keys (
  key text NOT NULL,
  rule text NOT NULL,
  holders bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  units integer[] DEFAULT '{}'::integer[] NOT NULL,
  next_at timestamp with time zone,
  closed_until timestamp with time zone,
  closed_ms double precision,
  recent text,
  is_trying boolean DEFAULT false NOT NULL,
  noted_at timestamp with time zone,
  look_at timestamp with time zone,
  CONSTRAINT flow_keys_pkey PRIMARY KEY (key),
  CONSTRAINT flow_keys_holders_check CHECK ((cardinality(holders) = cardinality(units)))
) WITH (
  autovacuum_analyze_scale_factor=0,
  autovacuum_analyze_threshold=50000,
  autovacuum_vacuum_cost_delay=0,
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=2000,
  fillfactor=50
);

CREATE TABLE duework.flow_looks (
  at timestamp with time zone NOT NULL,
  key text NOT NULL,
  run_id bigint,
  has_succeeded boolean
) WITH (
  autovacuum_analyze_scale_factor=0,
  autovacuum_analyze_threshold=50000,
  autovacuum_vacuum_cost_delay=0,
  autovacuum_vacuum_insert_scale_factor=0,
  autovacuum_vacuum_insert_threshold=50000,
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=2000
);

CREATE TABLE duework.flow_rules (
  name text NOT NULL,
  declared jsonb DEFAULT '{}'::jsonb NOT NULL,
  changed jsonb,
  changed_by text,
  changed_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  max_units integer,
  unit_ms double precision,
  burst integer,
  blocks boolean DEFAULT false NOT NULL,
  CONSTRAINT flow_rules_pkey PRIMARY KEY (name),
  CONSTRAINT flow_rules_changed_check CHECK (((changed IS NULL) = (changed_at IS NULL))),
  CONSTRAINT flow_rules_name_check CHECK ((name ~ '^(limit|rate|order|tenant|breaker)/[^/]{1,150}$'::text))
);

CREATE TABLE duework.flow_turns (
  queue text NOT NULL,
  key text NOT NULL,
  turn double precision NOT NULL,
  CONSTRAINT flow_turns_pkey PRIMARY KEY (queue, key)
) WITH (
  autovacuum_vacuum_cost_delay=0,
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=1000
);

CREATE TABLE duework.flow_waits (
  key text NOT NULL,
  priority smallint NOT NULL,
  ready_at timestamp with time zone NOT NULL,
  run_id bigint NOT NULL,
  CONSTRAINT flow_waits_pkey PRIMARY KEY (key, priority, ready_at, run_id)
) WITH (
  autovacuum_analyze_scale_factor=0,
  autovacuum_analyze_threshold=50000,
  autovacuum_vacuum_cost_delay=0,
  autovacuum_vacuum_insert_scale_factor=0,
  autovacuum_vacuum_insert_threshold=50000,
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_alerts (
  name text NOT NULL,
  raised_at timestamp with time zone NOT NULL,
  facts jsonb NOT NULL,
  subject text DEFAULT ''::text NOT NULL,
  severity text DEFAULT 'warning'::text NOT NULL,
  seen_at timestamp with time zone DEFAULT now() NOT NULL,
  resolved_at timestamp with time zone,
  returns integer DEFAULT 0 NOT NULL,
  message bigint DEFAULT 1 NOT NULL,
  is_reminder boolean DEFAULT false NOT NULL,
  told text[] DEFAULT '{}'::text[] NOT NULL,
  told_at timestamp with time zone,
  tries integer DEFAULT 0 NOT NULL,
  tell_at timestamp with time zone DEFAULT now() NOT NULL,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  CONSTRAINT job_alerts_pkey PRIMARY KEY (name, subject)
);

CREATE TABLE duework.job_batch_changes (
  batch_id text NOT NULL,
  jobs integer DEFAULT 0 NOT NULL,
  succeeded integer DEFAULT 0 NOT NULL,
  dead integer DEFAULT 0 NOT NULL,
  cancelled integer DEFAULT 0 NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_batch_jobs (
  batch_id text NOT NULL,
  run_id bigint NOT NULL,
  CONSTRAINT job_batch_jobs_pkey PRIMARY KEY (batch_id, run_id)
);

CREATE TABLE duework.job_batches (
  id text NOT NULL,
  name text,
  jobs integer DEFAULT 0 NOT NULL,
  succeeded integer DEFAULT 0 NOT NULL,
  dead integer DEFAULT 0 NOT NULL,
  cancelled integer DEFAULT 0 NOT NULL,
  callbacks jsonb DEFAULT '{}'::jsonb NOT NULL,
  planned jsonb DEFAULT jsonb_path_query_array(callbacks, '$.keyvalue()."key"'::jsonpath),
  enqueued jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  settled_at timestamp with time zone,
  CONSTRAINT job_batches_pkey PRIMARY KEY (id),
  CONSTRAINT job_batches_id_check CHECK (((length(id) >= 1) AND (length(id) <= 64)))
) WITH (
  fillfactor=50
);

CREATE TABLE duework.job_contracts (
  type text NOT NULL,
  version integer NOT NULL,
  payload_schema jsonb NOT NULL,
  checksum text NOT NULL,
  first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_contracts_pkey PRIMARY KEY (type, version),
  CONSTRAINT job_contracts_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT job_contracts_type_check CHECK (((type ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$'::text) AND (version >= 1)))
);

CREATE TABLE duework.job_definitions (
  type text NOT NULL,
  version integer NOT NULL,
  queue text NOT NULL,
  priority smallint NOT NULL,
  max_attempts integer NOT NULL,
  timeout_ms double precision NOT NULL,
  lease_ms double precision NOT NULL,
  retry jsonb NOT NULL,
  payload_schema jsonb NOT NULL,
  default_payload jsonb,
  oldest_version integer,
  has_key boolean DEFAULT true NOT NULL,
  key_window_ms bigint,
  sensitive text[] DEFAULT '{}'::text[] NOT NULL,
  sensitive_result text[] DEFAULT '{}'::text[] NOT NULL,
  requires_encryption boolean DEFAULT false NOT NULL,
  alert_after_releases integer DEFAULT 5 NOT NULL,
  flow jsonb,
  has_gate_code boolean DEFAULT false NOT NULL,
  gates_after bigint,
  gates_by text,
  gates_at timestamp with time zone,
  max_wait_ms double precision,
  terms jsonb,
  queues text[],
  unique_rule jsonb,
  labels text[] DEFAULT '{}'::text[] NOT NULL,
  event text,
  event_keep_ms bigint,
  subscription jsonb,
  keep_days integer,
  dead_days integer,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_definitions_pkey PRIMARY KEY (type),
  CONSTRAINT job_definitions_limits_check CHECK (((version >= 1) AND ((priority >= 0) AND (priority <= 9)) AND (max_attempts >= 1) AND (timeout_ms >= (1)::double precision) AND (lease_ms >= (1000)::double precision) AND (COALESCE(LEAST(keep_days, dead_days), 1) >= 1))),
  CONSTRAINT job_definitions_type_check CHECK ((type ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$'::text))
);

CREATE TABLE duework.job_effects (
  job_type text NOT NULL,
  run_key text NOT NULL,
  name text NOT NULL,
  status text DEFAULT 'started'::text NOT NULL,
  run_id bigint NOT NULL,
  fence bigint NOT NULL,
  result jsonb,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  done_at timestamp with time zone,
  needed_at timestamp with time zone DEFAULT now() NOT NULL,
  repeats integer DEFAULT 0 NOT NULL,
  undone integer DEFAULT 0 NOT NULL,
  CONSTRAINT job_effects_pkey PRIMARY KEY (job_type, run_key, name),
  CONSTRAINT job_effects_done_check CHECK (((status = 'done'::text) = (done_at IS NOT NULL))),
  CONSTRAINT job_effects_status_check CHECK ((status = ANY (ARRAY['started'::text, 'done'::text, 'unknown'::text, 'approved'::text, 'undone'::text])))
) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000,
  fillfactor=90
);

CREATE TABLE duework.job_keys (
  job_type text NOT NULL,
  key text NOT NULL,
  run_id bigint NOT NULL,
  expires_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  needed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_keys_pkey PRIMARY KEY (job_type, key),
  CONSTRAINT job_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000,
  fillfactor=90
);

CREATE TABLE duework.job_objects (
  object_key text NOT NULL,
  run_id bigint NOT NULL,
  job_type text,
  needed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_objects_pkey PRIMARY KEY (object_key, run_id)
) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_runs (
  id bigint DEFAULT duework.next_run_id() NOT NULL,
  queue text NOT NULL,
  job_type text NOT NULL,
  job_version integer NOT NULL,
  status text DEFAULT 'queued'::text NOT NULL,
  priority smallint NOT NULL,
  run_at timestamp with time zone NOT NULL,
  payload jsonb NOT NULL,
  idempotency_key text,
  attempts integer DEFAULT 0 NOT NULL,
  max_attempts integer NOT NULL,
  fence bigint DEFAULT 0 NOT NULL,
  locked_by text,
  locked_until timestamp with time zone,
  claimed_at timestamp with time zone,
  failed_at timestamp with time zone,
  error_code text,
  error_type text,
  last_error text,
  cancel_requested_at timestamp with time zone,
  cancel_requested_by text,
  cancel_reason text,
  progress jsonb,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  snoozes integer DEFAULT 0 NOT NULL,
  snoozed_at timestamp with time zone,
  meta jsonb,
  releases integer,
  held_by text,
  gates text[],
  gate_units integer[],
  terms jsonb,
  CONSTRAINT job_runs_pkey PRIMARY KEY (id),
  CONSTRAINT job_runs_priority_check CHECK (((priority >= 0) AND (priority <= 9))),
  CONSTRAINT job_runs_state_check CHECK (
CASE
    WHEN (status = 'running'::text) THEN ((attempts >= 1) AND (attempts <= max_attempts) AND (fence >= 1) AND (ROW(locked_by, locked_until, claimed_at) IS NOT NULL) AND (held_by IS NULL))
    ELSE ((attempts >= 0) AND (attempts <= (max_attempts - 1)) AND (fence >= 0) AND (ROW(locked_by, locked_until, cancel_requested_at) IS NULL) AND ((status = 'queued'::text) OR ((status = 'failed'::text) AND (ROW(failed_at, error_code, last_error) IS NOT NULL))))
END)
) WITH (
  autovacuum_analyze_scale_factor=0,
  autovacuum_analyze_threshold=5000,
  autovacuum_vacuum_cost_delay=0,
  autovacuum_vacuum_insert_scale_factor=0,
  autovacuum_vacuum_insert_threshold=50000,
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=2000,
  fillfactor=45,
  vacuum_truncate=off
);

CREATE TABLE duework.job_signals (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  awaited text NOT NULL,
  payload jsonb NOT NULL,
  sent_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_signals_pkey PRIMARY KEY (id)
);

CREATE TABLE duework.job_steps (
  run_id bigint NOT NULL,
  name text NOT NULL,
  job_type text,
  status text DEFAULT 'done'::text NOT NULL,
  wakes_at timestamp with time zone,
  awaits text,
  awaited text,
  at text,
  asked_seq integer NOT NULL,
  done_seq integer,
  open text[] DEFAULT '{}'::text[] NOT NULL,
  result jsonb,
  error jsonb,
  fence bigint NOT NULL,
  began_at timestamp with time zone DEFAULT now() NOT NULL,
  done_at timestamp with time zone DEFAULT now() NOT NULL,
  needed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT job_steps_pkey PRIMARY KEY (run_id, name),
  CONSTRAINT job_steps_awaits_check CHECK ((((awaits = ANY (ARRAY['signal'::text, 'job'::text, 'child'::text])) AND (awaited IS NOT NULL)) OR ((awaits IS NULL) AND (awaited IS NULL)))),
  CONSTRAINT job_steps_done_seq_check CHECK (((status = ANY (ARRAY['waiting'::text, 'arrived'::text])) = (done_seq IS NULL))),
  CONSTRAINT job_steps_error_check CHECK (
CASE status
    WHEN 'failed'::text THEN (error IS NOT NULL)
    WHEN 'arrived'::text THEN true
    ELSE (error IS NULL)
END),
  CONSTRAINT job_steps_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'arrived'::text, 'done'::text, 'failed'::text])))
) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000,
  fillfactor=90
);

CREATE TABLE duework.kept_answers (
  principal text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT kept_answers_pkey PRIMARY KEY (principal, key)
);

CREATE TABLE duework.migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE duework.origin (
  is_only boolean DEFAULT true NOT NULL,
  name text DEFAULT substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 12) NOT NULL,
  cluster text,
  database bigint,
  timeline integer,
  CONSTRAINT origin_pkey PRIMARY KEY (is_only),
  CONSTRAINT origin_is_only_check CHECK (is_only)
);

CREATE TABLE duework.past_workers (
  worker text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  queues text[] NOT NULL,
  contracts jsonb NOT NULL,
  host text,
  pid integer,
  code_version text,
  CONSTRAINT past_workers_pkey PRIMARY KEY (worker, started_at)
);

CREATE TABLE duework.pauses (
  kind text NOT NULL,
  name text NOT NULL,
  since timestamp with time zone DEFAULT now() NOT NULL,
  until timestamp with time zone,
  by text,
  reason text,
  CONSTRAINT pauses_pkey PRIMARY KEY (kind, name),
  CONSTRAINT pauses_kind_check CHECK ((kind = ANY (ARRAY['queue'::text, 'type'::text]))),
  CONSTRAINT pauses_span_check CHECK ((isfinite(since) AND isfinite(until))),
  CONSTRAINT pauses_text_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 63) AND (char_length(by) <= 1000) AND (char_length(reason) <= 1000)))
) WITH (
  autovacuum_vacuum_scale_factor=0,
  autovacuum_vacuum_threshold=0
);

CREATE TABLE duework.published_events (
  id bigint DEFAULT nextval('duework.published_events_id_seq'::regclass) NOT NULL,
  event text NOT NULL,
  version integer NOT NULL,
  key text,
  payload jsonb,
  meta jsonb,
  jobs jsonb DEFAULT '{}'::jsonb NOT NULL,
  published_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT published_events_pkey PRIMARY KEY (id)
);

CREATE TABLE duework.queue_slots (
  queue text NOT NULL,
  slots integer NOT NULL,
  since timestamp with time zone DEFAULT now() NOT NULL,
  by text,
  reason text,
  CONSTRAINT queue_slots_pkey PRIMARY KEY (queue),
  CONSTRAINT queue_slots_slots_check CHECK (((slots >= 1) AND (slots <= 1000)))
);

CREATE TABLE duework.released_runs (
  run_id bigint NOT NULL,
  CONSTRAINT released_runs_pkey PRIMARY KEY (run_id)
);

CREATE TABLE duework.retention (
  is_only boolean DEFAULT true NOT NULL,
  keep_days integer NOT NULL,
  dead_days integer NOT NULL,
  disk_bytes bigint,
  CONSTRAINT retention_pkey PRIMARY KEY (is_only),
  CONSTRAINT retention_is_only_check CHECK (is_only)
);

CREATE TABLE duework.schedule_declarations (
  worker text NOT NULL,
  program text NOT NULL,
  version integer NOT NULL,
  list_hash text NOT NULL,
  declared_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schedule_declarations_pkey PRIMARY KEY (worker)
);

CREATE TABLE duework.schedule_ledger (
  schedule_id bigint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  schedule_key text NOT NULL,
  job_type text NOT NULL,
  outcome text NOT NULL,
  reason text,
  run_id bigint,
  fires_at timestamp with time zone NOT NULL,
  decided_at timestamp with time zone NOT NULL,
  late_ms bigint NOT NULL,
  CONSTRAINT schedule_ledger_pkey PRIMARY KEY (schedule_id, due_at),
  CONSTRAINT schedule_ledger_outcome_check CHECK ((outcome = ANY (ARRAY['fired'::text, 'skipped'::text, 'waiting'::text]))),
  CONSTRAINT schedule_ledger_reason_check CHECK (((outcome <> 'skipped'::text) OR (reason IS NOT NULL))),
  CONSTRAINT schedule_ledger_run_check CHECK (((outcome <> 'fired'::text) OR (run_id IS NOT NULL)))
) WITH (
  autovacuum_freeze_min_age=0,
  autovacuum_vacuum_insert_scale_factor=0,
  autovacuum_vacuum_insert_threshold=50000,
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.schedule_lists (
  program text NOT NULL,
  version integer NOT NULL,
  CONSTRAINT schedule_lists_pkey PRIMARY KEY (program),
  CONSTRAINT schedule_lists_program_check CHECK (((length(program) >= 1) AND (length(program) <= 128))),
  CONSTRAINT schedule_lists_version_check CHECK ((version >= 1))
);

CREATE TABLE duework.schedules (
  id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  key text NOT NULL,
  job_type text NOT NULL,
  job_version integer NOT NULL,
  payload jsonb NOT NULL,
  cron text,
  every_ms bigint,
  at timestamp with time zone,
  time_zone text NOT NULL,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  missed text NOT NULL,
  missed_tolerance_ms bigint NOT NULL,
  missed_limit integer NOT NULL,
  missed_max_age_ms bigint NOT NULL,
  overlap text NOT NULL,
  overlap_limit integer NOT NULL,
  splay_ms bigint NOT NULL,
  splay_offset_ms bigint NOT NULL,
  is_paused boolean DEFAULT false NOT NULL,
  paused_at timestamp with time zone,
  paused_until timestamp with time zone,
  paused_by text,
  pause_reason text,
  source text NOT NULL,
  source_program text,
  source_version integer,
  next_due_at timestamp with time zone,
  tick_at timestamp with time zone,
  last_run_id bigint,
  run_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schedules_pkey PRIMARY KEY (id),
  CONSTRAINT schedules_job_type_check CHECK ((job_type ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$'::text)),
  CONSTRAINT schedules_key_check CHECK ((key ~ '^[A-Za-z0-9:_.@-]{1,200}$'::text)),
  CONSTRAINT schedules_missed_check CHECK (((missed = ANY (ARRAY['skip'::text, 'latest'::text, 'all'::text])) AND (missed_tolerance_ms >= 0) AND ((missed_limit >= 1) AND (missed_limit <= 1000)) AND (missed_max_age_ms >= 0))),
  CONSTRAINT schedules_overlap_check CHECK (((overlap = ANY (ARRAY['allow'::text, 'skip'::text, 'queue'::text, 'cancel-running'::text])) AND ((overlap_limit >= 1) AND (overlap_limit <= 1000)))),
  CONSTRAINT schedules_pause_check CHECK ((is_paused OR (num_nonnulls(paused_at, paused_until, paused_by, pause_reason) = 0))),
  CONSTRAINT schedules_rule_check CHECK (((num_nonnulls(cron, every_ms, at) = 1) AND (every_ms >= 1000))),
  CONSTRAINT schedules_source_check CHECK (((source = ANY (ARRAY['code'::text, 'api'::text])) AND ((source = 'code'::text) = (source_version IS NOT NULL)) AND ((source = 'code'::text) = (source_program IS NOT NULL)))),
  CONSTRAINT schedules_span_check CHECK ((ends_at > starts_at)),
  CONSTRAINT schedules_splay_check CHECK (((splay_ms >= 0) AND (splay_ms <= 86400000) AND (splay_offset_ms >= 0) AND (splay_offset_ms <= splay_ms))),
  CONSTRAINT schedules_tick_check CHECK (((next_due_at IS NULL) OR (tick_at IS NOT NULL)))
) WITH (
  autovacuum_vacuum_scale_factor=0.05,
  autovacuum_vacuum_threshold=1000,
  fillfactor=80
);

CREATE TABLE duework.shard (
  is_only boolean DEFAULT true NOT NULL,
  name text NOT NULL,
  founded_at timestamp with time zone DEFAULT now() NOT NULL,
  closed_at timestamp with time zone,
  CONSTRAINT shard_pkey PRIMARY KEY (is_only),
  CONSTRAINT shard_is_only_check CHECK (is_only),
  CONSTRAINT shard_name_check CHECK ((name ~ '^[a-z][a-z0-9_]{0,15}$'::text))
);

CREATE TABLE duework.stored_objects (
  object_key text NOT NULL,
  part integer NOT NULL,
  put_at timestamp with time zone DEFAULT now() NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT stored_objects_pkey PRIMARY KEY (object_key, part)
);

CREATE TABLE duework.worker_contracts (
  worker text NOT NULL,
  queues text[] NOT NULL,
  contracts jsonb NOT NULL,
  keeps jsonb,
  seen_at timestamp with time zone DEFAULT now() NOT NULL,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  host text,
  pid integer,
  code_version text,
  slots integer,
  running integer,
  buffered integer,
  loop_delay_ms double precision,
  shut_by text,
  declared_slots integer,
  needs text,
  CONSTRAINT worker_contracts_pkey PRIMARY KEY (worker)
);

CREATE TABLE duework.workers (
  name text NOT NULL,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT workers_pkey PRIMARY KEY (name)
);

CREATE TABLE duework.xid_samples (
  seen_at timestamp with time zone DEFAULT now() NOT NULL,
  xid xid DEFAULT (pg_snapshot_xmax(pg_current_snapshot()))::xid NOT NULL,
  CONSTRAINT xid_samples_pkey PRIMARY KEY (seen_at)
);

CREATE TABLE shop.migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE shop.order_items (
  order_id integer NOT NULL,
  line integer NOT NULL,
  description text NOT NULL,
  quantity integer NOT NULL,
  unit_cents integer NOT NULL,
  CONSTRAINT order_items_pkey PRIMARY KEY (order_id, line),
  CONSTRAINT order_items_amount_check CHECK (((quantity > 0) AND (unit_cents >= 0))),
  CONSTRAINT order_items_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop.orders(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE shop.orders (
  id integer GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  user_id integer NOT NULL,
  currency character(3) NOT NULL,
  status text DEFAULT 'PENDING'::text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  paid_at timestamp with time zone,
  reserved_at timestamp with time zone,
  job_id text,
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_paid_check CHECK (((status = 'PAID'::text) = (paid_at IS NOT NULL))),
  CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PAID'::text, 'CANCELLED'::text]))),
  CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES shop.users(id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE TABLE shop.sessions (
  id text NOT NULL,
  user_id integer NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES shop.users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE shop.stock (
  article text NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT stock_pkey PRIMARY KEY (article),
  CONSTRAINT stock_quantity_check CHECK ((quantity >= 0))
);

CREATE TABLE shop.users (
  id integer GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  time_zone text DEFAULT 'UTC'::text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE duework.job_attempts (
  run_id bigint NOT NULL,
  fence bigint NOT NULL,
  attempt integer NOT NULL,
  job_type text NOT NULL,
  outcome text NOT NULL,
  worker text NOT NULL,
  claimed_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone DEFAULT now() NOT NULL,
  error_code text,
  error_type text,
  error_message text,
  error_stack text,
  logs text,
  abort_code text,
  abort_stage text,
  is_late boolean DEFAULT false NOT NULL,
  CONSTRAINT job_attempts_abort_check CHECK ((((abort_code IS NULL) = (abort_stage IS NULL)) AND (abort_stage = ANY (ARRAY['signalled'::text, 'killed'::text, 'lease_revoked'::text])))),
  CONSTRAINT job_attempts_error_check CHECK (((outcome = ANY (ARRAY['interrupted'::text, 'cancelled'::text, 'succeeded'::text])) OR (error_code IS NOT NULL))),
  CONSTRAINT job_attempts_logs_check CHECK ((char_length(logs) <= 8192)),
  CONSTRAINT job_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['failed'::text, 'lost'::text, 'interrupted'::text, 'cancelled'::text, 'succeeded'::text]))),
  CONSTRAINT job_attempts_stack_check CHECK ((char_length(error_stack) <= 8192))
) PARTITION BY LIST (is_late);

CREATE TABLE duework.job_history (
  id bigint NOT NULL,
  queue text NOT NULL,
  job_type text NOT NULL,
  job_version integer NOT NULL,
  status text NOT NULL,
  priority smallint NOT NULL,
  run_at timestamp with time zone NOT NULL,
  payload jsonb NOT NULL,
  idempotency_key text,
  attempts integer NOT NULL,
  max_attempts integer NOT NULL,
  fence bigint NOT NULL,
  worker text,
  claimed_at timestamp with time zone,
  failed_at timestamp with time zone,
  error_code text,
  error_type text,
  last_error text,
  cancel_requested_at timestamp with time zone,
  cancel_requested_by text,
  cancel_reason text,
  result jsonb,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  is_newest boolean DEFAULT true NOT NULL,
  snoozes integer DEFAULT 0 NOT NULL,
  snoozed_at timestamp with time zone,
  acknowledged_at timestamp with time zone,
  is_late boolean DEFAULT false NOT NULL,
  meta jsonb,
  releases integer,
  gates text[],
  gate_units integer[],
  terms jsonb,
  progress jsonb,
  ended_in xid8 DEFAULT pg_current_xact_id(),
  ended_with bigint[],
  CONSTRAINT job_history_state_check CHECK (
CASE status
    WHEN 'succeeded'::text THEN ((attempts >= 1) AND (ROW(worker, claimed_at) IS NOT NULL))
    WHEN 'dead'::text THEN (ROW(failed_at, error_code, last_error) IS NOT NULL)
    WHEN 'cancelled'::text THEN (cancel_requested_at IS NOT NULL)
    ELSE false
END)
) PARTITION BY LIST (status);

CREATE TABLE duework.job_attempts_days PARTITION OF duework.job_attempts (
  CONSTRAINT job_attempts_days_pkey PRIMARY KEY (run_id, fence)
) FOR VALUES IN (false) PARTITION BY RANGE (run_id);

CREATE TABLE duework.job_attempts_late PARTITION OF duework.job_attempts (
  CONSTRAINT job_attempts_late_pkey PRIMARY KEY (run_id, fence)
) FOR VALUES IN (true) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_history_cancelled PARTITION OF duework.job_history (
  CONSTRAINT job_history_cancelled_pkey PRIMARY KEY (id)
) FOR VALUES IN ('cancelled') WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_history_dead PARTITION OF duework.job_history (
  CONSTRAINT job_history_dead_pkey PRIMARY KEY (id)
) FOR VALUES IN ('dead') WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_history_succeeded PARTITION OF duework.job_history FOR VALUES IN ('succeeded') PARTITION BY LIST (is_late);

CREATE TABLE duework.job_attempts_days_default PARTITION OF duework.job_attempts_days DEFAULT;

CREATE TABLE duework.job_history_days PARTITION OF duework.job_history_succeeded (
  CONSTRAINT job_history_days_pkey PRIMARY KEY (id)
) FOR VALUES IN (false) PARTITION BY RANGE (id);

CREATE TABLE duework.job_history_late PARTITION OF duework.job_history_succeeded (
  CONSTRAINT job_history_late_pkey PRIMARY KEY (id)
) FOR VALUES IN (true) WITH (
  autovacuum_vacuum_scale_factor=0.02,
  autovacuum_vacuum_threshold=5000
);

CREATE TABLE duework.job_history_days_default PARTITION OF duework.job_history_days DEFAULT;

ALTER SEQUENCE duework.job_runs_id_seq OWNED BY duework.job_runs.id;

ALTER SEQUENCE duework.published_events_id_seq OWNED BY duework.published_events.id;

CREATE UNIQUE INDEX api_keys_name_idx ON duework.api_keys USING btree (name) WHERE (revoked_at IS NULL);

CREATE INDEX audit_entries_at_idx ON duework.audit_entries USING btree (at, id);

CREATE INDEX audit_entries_by_idx ON duework.audit_entries USING btree (by, at, id);

CREATE INDEX audit_entries_target_idx ON duework.audit_entries USING btree (kind, target, at, id);

CREATE INDEX bulk_action_runs_at_idx ON duework.bulk_action_runs USING btree (at);

CREATE INDEX bulk_action_runs_ids_idx ON duework.bulk_action_runs USING btree (last_id, first_id);

CREATE INDEX bulk_actions_running_idx ON duework.bulk_actions USING btree (next_step_at) WHERE (status = 'running'::text);

CREATE UNIQUE INDEX bulk_actions_undo_of_idx ON duework.bulk_actions USING btree (undo_of) WHERE (undo_of IS NOT NULL);

CREATE INDEX carried_jobs_carried_at_idx ON duework.carried_jobs USING btree (carried_at);

CREATE INDEX flow_keys_rule_idx ON duework.flow_keys USING btree (rule, key);

CREATE INDEX flow_looks_at_idx ON duework.flow_looks USING btree (at);

CREATE INDEX flow_turns_turn_idx ON duework.flow_turns USING btree (queue, turn, key);

CREATE INDEX job_attempts_error_idx ON ONLY duework.job_attempts USING btree (job_type COLLATE "C", error_code COLLATE "C", hashtextextended(regexp_replace(split_part("left"((error_message COLLATE "C"), 200), '
'::text, 1), '[[:alnum:]._%+-]+@[[:alnum:]-]+([.][[:alnum:]-]+)+|[[:alnum:]_]*[[:digit:]][[:alnum:]_]*'::text, '0'::text, 'g'::text), (0)::bigint), finished_at) WHERE (error_code IS NOT NULL);

CREATE INDEX job_attempts_type_idx ON ONLY duework.job_attempts USING btree (job_type COLLATE "C", finished_at);

CREATE INDEX job_attempts_late_finished_at_idx ON duework.job_attempts_late USING btree (finished_at);

CREATE INDEX job_batch_changes_batch_id_idx ON duework.job_batch_changes USING btree (batch_id);

CREATE INDEX job_batch_jobs_run_id_idx ON duework.job_batch_jobs USING btree (run_id);

CREATE INDEX job_batches_created_at_idx ON duework.job_batches USING btree (created_at, id);

CREATE INDEX job_effects_needed_at_idx ON duework.job_effects USING btree (needed_at);

CREATE INDEX job_effects_run_id_idx ON duework.job_effects USING btree (run_id);

CREATE INDEX job_effects_started_at_idx ON duework.job_effects USING btree (job_type, started_at);

CREATE INDEX job_history_ended_idx ON ONLY duework.job_history USING btree (ended_in, id) WHERE (ended_in IS NOT NULL);

CREATE INDEX job_history_last_run_idx ON ONLY duework.job_history USING btree (job_type, finished_at) WHERE is_newest;

CREATE INDEX job_history_cancelled_finished_at_idx ON duework.job_history_cancelled USING btree (finished_at);

CREATE INDEX job_history_cancelled_key_idx ON duework.job_history_cancelled USING btree (idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX job_history_cancelled_payload_idx ON duework.job_history_cancelled USING gin (payload jsonb_path_ops) WITH (gin_pending_list_limit='256');

CREATE INDEX job_history_cancelled_queue_idx ON duework.job_history_cancelled USING btree (queue);

CREATE INDEX job_history_days_finished_at_idx ON ONLY duework.job_history_days USING brin (finished_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX job_history_dead_error_idx ON duework.job_history_dead USING gin (to_tsvector('simple'::regconfig, duework.error_words(error_code, error_type, last_error))) WITH (gin_pending_list_limit='256');

CREATE INDEX job_history_dead_finished_at_idx ON duework.job_history_dead USING btree (finished_at);

CREATE INDEX job_history_dead_key_idx ON duework.job_history_dead USING btree (idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX job_history_dead_payload_idx ON duework.job_history_dead USING gin (payload jsonb_path_ops) WITH (gin_pending_list_limit='256');

CREATE INDEX job_history_dead_queue_idx ON duework.job_history_dead USING btree (queue);

CREATE INDEX job_history_dead_unknown_idx ON duework.job_history_dead USING btree (finished_at) WHERE ((acknowledged_at IS NULL) AND (error_code = 'effect_unknown'::text));

CREATE INDEX job_history_dead_unseen_idx ON duework.job_history_dead USING btree (finished_at) WHERE (acknowledged_at IS NULL);

CREATE INDEX job_history_late_finished_at_idx ON duework.job_history_late USING btree (finished_at);

CREATE INDEX job_history_late_type_idx ON duework.job_history_late USING btree (job_type, finished_at);

CREATE INDEX job_keys_expired_idx ON duework.job_keys USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX job_keys_needed_at_idx ON duework.job_keys USING btree (needed_at);

CREATE INDEX job_objects_needed_at_idx ON duework.job_objects USING btree (needed_at);

CREATE INDEX job_runs_claim_idx ON duework.job_runs USING btree (queue, priority, run_at, id) WHERE (held_by IS NULL);

CREATE INDEX job_runs_failed_idx ON duework.job_runs USING btree (id) WHERE (failed_at IS NOT NULL);

CREATE INDEX job_signals_awaited_idx ON duework.job_signals USING btree (awaited, id);

CREATE INDEX job_signals_sent_at_idx ON duework.job_signals USING btree (sent_at);

CREATE INDEX job_steps_at_idx ON duework.job_steps USING btree (job_type, at, began_at, run_id) WHERE ((status = 'waiting'::text) AND (at IS NOT NULL));

CREATE INDEX job_steps_awaited_idx ON duework.job_steps USING btree (awaits, awaited, done_at) WHERE ((status = 'waiting'::text) AND (awaits IS NOT NULL));

CREATE INDEX job_steps_children_idx ON duework.job_steps USING btree (((awaited)::bigint)) WHERE ((awaits = 'child'::text) AND (run_id < (awaited)::bigint));

CREATE INDEX job_steps_ended_idx ON duework.job_steps USING btree (job_type, done_at) WHERE (status <> 'waiting'::text);

CREATE INDEX job_steps_needed_at_idx ON duework.job_steps USING btree (needed_at);

CREATE INDEX job_steps_undone_idx ON duework.job_steps USING btree (job_type, done_at) WHERE ((status = 'failed'::text) OR (name ~~ 'undo %'::text));

CREATE INDEX kept_answers_created_at_idx ON duework.kept_answers USING btree (created_at);

CREATE INDEX past_workers_seen_idx ON duework.past_workers USING btree (seen_at);

CREATE INDEX published_events_event_published_at_id_idx ON duework.published_events USING btree (event, published_at, id);

CREATE INDEX published_events_expires_at_idx ON duework.published_events USING btree (expires_at);

CREATE UNIQUE INDEX published_events_key_idx ON duework.published_events USING btree (event, key) WHERE (key IS NOT NULL);

CREATE INDEX schedule_ledger_due_at_idx ON duework.schedule_ledger USING btree (due_at, schedule_id);

CREATE INDEX schedule_ledger_key_idx ON duework.schedule_ledger USING btree (schedule_key, due_at);

CREATE INDEX schedule_ledger_run_id_idx ON duework.schedule_ledger USING btree (run_id) WHERE (run_id IS NOT NULL);

CREATE INDEX schedule_ledger_waiting_idx ON duework.schedule_ledger USING btree (schedule_id, due_at) WHERE (outcome = 'waiting'::text);

CREATE INDEX schedules_due_idx ON duework.schedules USING btree (tick_at, id) WHERE ((NOT is_paused) AND (tick_at IS NOT NULL));

CREATE UNIQUE INDEX schedules_key_key ON duework.schedules USING btree (key);

CREATE INDEX schedules_pause_end_idx ON duework.schedules USING btree (paused_until, id) WHERE (is_paused AND (paused_until IS NOT NULL));

CREATE INDEX worker_contracts_keeps_idx ON duework.worker_contracts USING btree (worker) WHERE (keeps IS NOT NULL);

CREATE INDEX orders_user_id_paid_at_idx ON shop.orders USING btree (user_id, paid_at);

CREATE INDEX sessions_expires_at_idx ON shop.sessions USING btree (expires_at);

CREATE UNIQUE INDEX users_email_key ON shop.users USING btree (email);

CREATE OR REPLACE FUNCTION duework.add_counts(a bigint[], b bigint[])
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(array_agg(coalesce(t.x, 0) + coalesce(t.y, 0) ORDER BY t.place), '{}')
  FROM unnest(a, b) WITH ORDINALITY AS t (x, y, place)
$function$;

CREATE OR REPLACE FUNCTION duework.add_up_batch(of_id text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  more record;
  b    duework.job_batches;
  due  text;
BEGIN
  WITH gone AS (DELETE FROM duework.job_batch_changes AS c WHERE c.batch_id = of_id RETURNING c.*)
  SELECT coalesce(sum(g.jobs), 0) AS jobs, coalesce(sum(g.succeeded), 0) AS succeeded, coalesce(sum(g.dead), 0) AS dead,
    coalesce(sum(g.cancelled), 0) AS cancelled, coalesce(bool_or(g.dead > 0), false) AS has_died
  INTO more FROM gone AS g;
  UPDATE duework.job_batches AS x
  SET jobs = x.jobs + more.jobs, succeeded = x.succeeded + more.succeeded, dead = x.dead + more.dead,
    cancelled = x.cancelled + more.cancelled,
    settled_at = coalesce(x.settled_at, CASE WHEN x.jobs + more.jobs = x.succeeded + more.succeeded + x.dead + more.dead
      + x.cancelled + more.cancelled THEN now() END)
  WHERE x.id = of_id
  RETURNING x.* INTO b;
  FOREACH due IN ARRAY ARRAY[
    CASE WHEN more.has_died THEN 'onFirstDead' END,
    CASE WHEN b.succeeded = b.jobs THEN 'onSucceeded' END,
    CASE WHEN b.settled_at IS NOT NULL THEN 'onSettled' END
  ] LOOP
    CONTINUE WHEN due IS NULL OR NOT b.callbacks ? due OR b.enqueued ? due;
    UPDATE duework.job_batches AS x
    SET enqueued = x.enqueued || jsonb_build_object(due, duework.write_callback(b.callbacks -> due))
    WHERE x.id = of_id;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION duework.add_up_batches(ids text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  one text;
BEGIN
  IF ids IS NULL THEN
    SELECT array_agg(DISTINCT c.batch_id) INTO ids FROM (SELECT x.batch_id FROM duework.job_batch_changes AS x LIMIT 1000) AS c;
  END IF;
  FOR one IN SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY 1 LOOP
    PERFORM FROM duework.job_batches AS b WHERE b.id = one FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      PERFORM duework.add_up_batch(one);
    ELSIF EXISTS (SELECT FROM duework.job_batches AS b WHERE b.id = one) THEN
      RETURN NEXT one;
    ELSE
      -- it has been pruned
      DELETE FROM duework.job_batch_changes AS c WHERE c.batch_id = one;
    END IF;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION duework.alert_told(of_name text, of_subject text, of_message bigint, ways text[], has_failed boolean)
 RETURNS void
 LANGUAGE sql
AS $function$
  UPDATE duework.job_alerts AS a
  SET told = a.told || ways, tell_at = now() + CASE WHEN has_failed
    THEN least(interval '30 minutes', interval '30 seconds' * 2 ^ least(a.tries, 10)) ELSE interval '0' END
  WHERE a.name = of_name AND a.subject = of_subject AND a.message = of_message
$function$;

CREATE OR REPLACE FUNCTION duework.arrive(run bigint, step text, given jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE duework.job_steps AS s SET status = 'arrived', result = given, done_at = now()
  WHERE s.run_id = run AND s.name = step AND s.status = 'waiting';
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION duework.backoff_ms(rule jsonb, attempt integer, random double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT least(315360000000, greatest(1, floor(0.5 + (0.8 + 0.4 * random) * CASE r.rule ->> 'kind'
    WHEN 'fixed' THEN (r.rule ->> 'delayMs')::float8
    WHEN 'exponential' THEN CASE
      -- longer than any cap, and perhaps than any number
      WHEN (attempt - 1) * ln((r.rule ->> 'factor')::float8) > 50 THEN (r.rule ->> 'capMs')::float8
      ELSE least((r.rule ->> 'capMs')::float8,
        (r.rule ->> 'baseMs')::float8 * power((r.rule ->> 'factor')::float8, attempt - 1))
    END
    WHEN 'quadratic' THEN least((r.rule ->> 'capMs')::float8, (r.rule ->> 'unitMs')::float8 * attempt::float8 ^ 2)
    WHEN 'delays' THEN (r.rule -> 'delaysMs' ->> least(attempt, jsonb_array_length(r.rule -> 'delaysMs')) - 1)::float8
  END)))
  FROM (SELECT coalesce(rule, '{"kind": "exponential", "baseMs": 10000, "factor": 2, "capMs": 21600000}')) AS r (rule)
$function$;

CREATE OR REPLACE FUNCTION duework.begin_batch(jobs jsonb, name text DEFAULT NULL::text, on_settled jsonb DEFAULT NULL::jsonb, on_succeeded jsonb DEFAULT NULL::jsonb, on_first_dead jsonb DEFAULT NULL::jsonb, id text DEFAULT (gen_random_uuid())::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  -- what one run does not share with others of its kind
  own    CONSTANT text[] := '{payload,runAt,delayMs,key,meta,flow}';
  runs   jsonb;
  answer text := '{"ids": []}';
BEGIN
  IF jsonb_typeof(jobs) <> 'array' OR jobs IS NULL OR length(name) > 200 OR length(id) NOT BETWEEN 1 AND 64 OR id IS NULL THEN
    RAISE EXCEPTION 'A batch has a JSON array of jobs, a name of at most 200 characters, and an id of 1 to 64.'
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  SELECT jsonb_agg(r.run || jsonb_build_object('flow', coalesce(r.run -> 'flow', '{}')
    || jsonb_build_object('terms', coalesce(r.run -> 'flow' -> 'terms', '{}') || jsonb_build_object('batch', id))) ORDER BY r.n)
  INTO runs
  FROM (
    SELECT duework.make_batch_run(format('jobs[%s]', j.n - 1), j.job) AS run, j.n
    FROM jsonb_array_elements(jobs) WITH ORDINALITY AS j (job, n)
  ) AS r;
  IF runs IS NOT NULL THEN
    WITH x AS MATERIALIZED (
      SELECT r.run, r.n, dense_rank() OVER (ORDER BY r.run - own) AS kind
      FROM jsonb_array_elements(runs) WITH ORDINALITY AS r (run, n)
    ),
    kinds AS (
      SELECT array_agg(k.run ->> 'type' ORDER BY k.kind) AS types, array_agg((k.run ->> 'version')::integer ORDER BY k.kind) AS versions,
        array_agg(k.run ->> 'queue' ORDER BY k.kind) AS queues, array_agg((k.run ->> 'priority')::smallint ORDER BY k.kind) AS priorities,
        array_agg((k.run ->> 'maxAttempts')::integer ORDER BY k.kind) AS attempts,
        array_agg((k.run ->> 'keyWindowMs')::float8 ORDER BY k.kind) AS windows, array_agg(DISTINCT k.run ->> 'queue') AS wake
      FROM (SELECT DISTINCT x.kind, x.run - own AS run FROM x) AS k
    ),
    each AS (
      SELECT jsonb_agg(x.run -> 'payload' ORDER BY x.n) AS payloads, array_agg(x.kind::integer ORDER BY x.n) AS kinds,
        array_agg((x.run ->> 'runAt')::timestamptz ORDER BY x.n) AS ats, array_agg((x.run ->> 'delayMs')::float8 ORDER BY x.n) AS delays,
        array_agg(x.run ->> 'key' ORDER BY x.n) AS keys, jsonb_agg(x.run -> 'meta' ORDER BY x.n) AS metas,
        jsonb_agg(x.run -> 'flow' ORDER BY x.n) AS flows
      FROM x
    )
    SELECT duework.enqueue_many_1(k.types, k.versions, k.queues, k.priorities, k.attempts, k.windows, e.payloads, e.kinds, e.ats,
      e.delays, e.keys, k.wake, NULL, e.metas, false, e.flows)
    INTO answer FROM kinds AS k, each AS e;
  END IF;
  PERFORM duework.join_batch(
    jsonb_build_object('id', id, 'name', name, 'callbacks', (
      SELECT coalesce(jsonb_object_agg(c.due, c.run), '{}')
      FROM (VALUES ('onSettled', duework.make_batch_run('on_settled', on_settled)),
        ('onSucceeded', duework.make_batch_run('on_succeeded', on_succeeded)),
        ('onFirstDead', duework.make_batch_run('on_first_dead', on_first_dead))) AS c (due, run)
      WHERE c.run IS NOT NULL
    )),
    answer
  );
  RETURN id;
END
$function$;

CREATE OR REPLACE FUNCTION duework.begin_waits(waits jsonb)
 RETURNS TABLE(place integer, answer text, wakes_at timestamp with time zone)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  w record;
  given jsonb;
  is_there boolean;
  of_type text;
BEGIN
  FOR w IN
    SELECT x.*, (n - 1)::integer AS place
    FROM ROWS FROM (jsonb_to_recordset(waits) AS (id bigint, fence bigint, name text, asked integer, "afterMs" float8, until timestamptz, awaits text, awaited text))
      WITH ORDINALITY AS x (id, fence, name, asked, after_ms, until, awaits, awaited, n)
    ORDER BY x.awaits, CASE WHEN x.awaits <> 'signal' AND x.awaited ~ '^[0-9]{1,18}$' THEN x.awaited::bigint END, x.awaited, x.id, x.name
  LOOP
    place := w.place;
    wakes_at := coalesce(w.until, now() + w.after_ms * interval '1 millisecond');
    given := NULL;
    SELECT j.job_type INTO of_type FROM duework.job_runs AS j WHERE j.id = w.id AND j.fence = w.fence AND j.locked_by IS NOT NULL;
    IF NOT FOUND THEN
      answer := 'lost';
    ELSIF w.awaits = 'signal'
      AND NOT pg_try_advisory_xact_lock(hashtextextended('duework.signal ' || w.awaited, 0)) THEN
      answer := 'busy';
    ELSE
      is_there := coalesce(w.awaits, 'signal') = 'signal' OR w.awaited ~ '^[0-9]{1,18}$';
      IF w.awaits <> 'signal' AND is_there THEN
        -- each wait changes the row, so that whoever ends the job comes before it, or sees it, or has 40001
        UPDATE duework.job_runs AS j SET terms = coalesce(j.terms, '{}') || jsonb_build_object('awaited', w.id::text)
        WHERE j.id = w.awaited::bigint;
        IF NOT FOUND THEN
          SELECT duework.ending_of(h) INTO given FROM duework.job_history AS h WHERE h.id = w.awaited::bigint;
          is_there := FOUND;
        END IF;
      END IF;
      IF is_there THEN
        INSERT INTO duework.job_steps (run_id, name, job_type, status, asked_seq, fence, wakes_at, awaits, awaited, at)
        VALUES (w.id, w.name, of_type, 'waiting', w.asked, w.fence, wakes_at, w.awaits, w.awaited, regexp_replace(w.name, ' [0-9]+$', ''))
        ON CONFLICT (run_id, name) DO NOTHING;
        answer := 'waiting';
        IF FOUND THEN
          -- so that its end finds its waits, and its cancellation its children, also before it has gone to wait
          UPDATE duework.job_runs AS j
          SET terms = coalesce(j.terms, '{}') || CASE w.awaits WHEN 'child' THEN '{"waits": true, "hasChildren": true}' ELSE '{"waits": true}' END::jsonb
          WHERE j.id = w.id AND NOT coalesce(j.terms ? CASE w.awaits WHEN 'child' THEN 'hasChildren' ELSE 'waits' END, false);
        ELSE
          SELECT CASE s.status WHEN 'waiting' THEN 'waiting' ELSE 'done' END, s.wakes_at INTO answer, wakes_at
          FROM duework.job_steps AS s WHERE s.run_id = w.id AND s.name = w.name;
        END IF;
        -- also one that was sent while a dead run waited, which has been retried since
        IF answer = 'waiting' AND w.awaits = 'signal' THEN
          DELETE FROM duework.job_signals AS k
          WHERE k.id = (SELECT i.id FROM duework.job_signals AS i WHERE i.awaited = w.awaited ORDER BY i.id LIMIT 1)
          RETURNING k.payload INTO given;
        END IF;
        IF answer = 'waiting' AND given IS NOT NULL THEN
          PERFORM duework.arrive(w.id, w.name, given);
          answer := 'done';
        END IF;
      ELSE
        answer := 'unknown';
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION duework.can_chore_wait(name text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT split_part(name, ' ', 1) IN ('prune', 'depth', 'objects')
$function$;

CREATE OR REPLACE FUNCTION duework.cancel_batch(of_id text, after bigint, by text, reason text)
 RETURNS TABLE(cancelled integer, requested integer, up_to bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  members bigint[];
BEGIN
  SELECT array_agg(m.run_id ORDER BY m.run_id) INTO members FROM (
    SELECT j.run_id FROM duework.job_batch_jobs AS j WHERE j.batch_id = of_id AND j.run_id > after ORDER BY j.run_id LIMIT 1000
  ) AS m;
  up_to := members[cardinality(members)];
  PERFORM FROM duework.job_runs AS r WHERE r.id = ANY(members) ORDER BY r.id FOR UPDATE;
  UPDATE duework.job_runs AS r
  SET cancel_requested_at = coalesce(r.cancel_requested_at, now()),
    cancel_requested_by = coalesce(r.cancel_requested_by, cancel_batch.by),
    cancel_reason = coalesce(r.cancel_reason, cancel_batch.reason)
  WHERE r.id = ANY(members) AND r.status = 'running';
  GET DIAGNOSTICS requested = ROW_COUNT;
  PERFORM duework.notify('duework_cancel', r.id::text) FROM duework.job_runs AS r
  WHERE r.id = ANY(members) AND r.status = 'running';
  SELECT count(*) INTO cancelled FROM duework.cancel_waiting(members, cancel_batch.by, cancel_batch.reason, NULL);
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION duework.cancel_children()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  children bigint[];
  why      text := coalesce(NEW.cancel_reason, format('Its parent, job %s, was cancelled.', duework.outer_id(NEW.id)));
BEGIN
  SELECT array_agg(c.id) INTO children FROM (
    SELECT j.id FROM duework.job_runs AS j
    WHERE j.id IN (
      SELECT s.awaited::bigint FROM duework.job_steps AS s
      WHERE s.run_id = NEW.id AND s.status = 'waiting' AND s.awaits = 'child'
    )
    ORDER BY j.id
    FOR UPDATE
  ) AS c;
  UPDATE duework.job_runs AS j
  SET cancel_requested_at = coalesce(j.cancel_requested_at, now()),
    cancel_requested_by = coalesce(j.cancel_requested_by, NEW.cancel_requested_by),
    cancel_reason = coalesce(j.cancel_reason, why)
  WHERE j.id = ANY(children) AND j.status = 'running';
  PERFORM duework.notify('duework_cancel', j.id::text) FROM duework.job_runs AS j
  WHERE j.id = ANY(children) AND j.status = 'running';
  PERFORM FROM duework.cancel_waiting(children, NEW.cancel_requested_by, why, NULL);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.cancel_waiting(run_ids bigint[], by text, reason text, code text)
 RETURNS TABLE(id bigint, job_type text)
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  WITH r AS (
    DELETE FROM duework.job_runs j WHERE j.id = ANY(run_ids) AND j.status IN ('queued', 'failed') RETURNING j.*
  ),
  recorded AS (
    INSERT INTO duework.job_history (
      id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence,
      claimed_at, created_at, snoozes, snoozed_at, meta, releases, gates, gate_units, terms, progress, finished_at, status,
      failed_at, error_code, error_type, last_error, cancel_requested_at, cancel_requested_by, cancel_reason
    )
    SELECT r.id, r.queue, r.job_type, r.job_version, r.priority, r.run_at, r.payload, r.idempotency_key, r.attempts,
      r.max_attempts, r.fence, r.claimed_at, r.created_at, r.snoozes, r.snoozed_at, r.meta, r.releases, r.gates,
      r.gate_units, r.terms, r.progress, now(), 'cancelled', r.failed_at, coalesce(code, r.error_code), r.error_type, r.last_error,
      now(), by, reason
    FROM r
  ),
  looked AS (
    INSERT INTO duework.flow_looks (at, key)
    SELECT DISTINCT now(), g.gate FROM r CROSS JOIN LATERAL unnest(r.gates) AS g (gate)
  )
  SELECT r.id, r.job_type FROM r
  CROSS JOIN (
    SELECT count(duework.notify('duework_wake', q.queue)) FROM (SELECT DISTINCT r.queue FROM r WHERE r.gates IS NOT NULL) AS q
  ) AS told
$function$;

CREATE OR REPLACE FUNCTION duework.change_claims(definitions jsonb, changes jsonb)
 RETURNS bigint[]
 LANGUAGE sql
AS $function$
  SELECT (duework.change_gates(jsonb_agg(c.change ORDER BY c.place))).changed
  FROM jsonb_array_elements(changes) WITH ORDINALITY AS c (change, place)
  WHERE c.change ->> 'type' IN (SELECT duework.types_by_rules(definitions))
$function$;

CREATE OR REPLACE FUNCTION duework.change_gates(changes jsonb, OUT changed bigint[], OUT busy integer)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  had    text[];
  queues text[];
  ahead  duework.job_runs;
BEGIN
  WITH given AS MATERIALIZED (
    SELECT x.* FROM jsonb_to_recordset(changes) AS x (id bigint, fence bigint, gates text[], units integer[])
  ),
  locked AS MATERIALIZED (
    SELECT g.id, g.gates AS lines, g.units, r.*
    FROM given AS g
    CROSS JOIN LATERAL (
      SELECT j.held_by, j.priority, j.run_at, j.gates, (
          SELECT jsonb_strip_nulls(jsonb_build_object('maxWaitMs', d.max_wait_ms))
          FROM duework.job_definitions AS d WHERE d.type = j.job_type AND g.gates IS NOT NULL
        ) AS waits,
        -- one that has begun keeps the order that it is in
        CASE
          WHEN (j.attempts > (j.status = 'running')::integer OR j.snoozed_at IS NOT NULL OR j.releases IS NOT NULL)
            AND j.gates[1] = g.gates[1]
            THEN duework.gate_to_retry(g.gates)
          ELSE g.gates[1]
        END AS waits_at
      FROM duework.job_runs AS j
      WHERE j.id = g.id AND j.cancel_requested_at IS NULL
        AND CASE WHEN j.status = 'running' THEN j.fence = g.fence ELSE g.fence IS NULL END
      FOR UPDATE SKIP LOCKED
    ) AS r
  ),
  stood AS (
    DELETE FROM duework.flow_waits AS w
    WHERE w.ctid = ANY(ARRAY(
      SELECT x.ctid FROM locked AS l
      CROSS JOIN LATERAL (
        SELECT w.ctid FROM duework.flow_waits AS w
        WHERE w.key = l.held_by AND w.priority = duework.line_priority(l.held_by, l.priority)
          AND w.ready_at = duework.line_ready_at(l.held_by, l.run_at) AND w.run_id = l.id
        LIMIT 1
      ) AS x
    ))
  ),
  written AS (
    UPDATE duework.job_runs AS j
    SET gates = l.lines, gate_units = l.units, held_by = l.waits_at,
      terms = nullif(coalesce(j.terms, '{}') - 'maxWaitMs' || coalesce(l.waits, '{}'), '{}'),
      status = CASE WHEN j.status = 'running' THEN 'queued' ELSE j.status END,
      attempts = j.attempts - (j.status = 'running')::integer, locked_by = NULL, locked_until = NULL
    FROM locked AS l
    WHERE j.id = ANY(ARRAY(SELECT l.id FROM locked AS l)) AND l.id = j.id
    RETURNING j.id, j.queue
  )
  SELECT array_agg(w.id), array_agg(DISTINCT w.queue),
    ARRAY(SELECT DISTINCT g.gate FROM locked AS l CROSS JOIN LATERAL unnest(l.gates) AS g (gate)),
    (
      SELECT count(*) FROM given AS g
      WHERE g.fence IS NULL AND g.id NOT IN (SELECT l.id FROM locked AS l)
        AND EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = g.id AND j.status IN ('queued', 'failed') OFFSET 0)
    )
  INTO changed, queues, had, busy
  FROM written AS w;
  IF changed IS NULL THEN RETURN; END IF;
  PERFORM duework.line_up(changed);
  INSERT INTO duework.flow_looks (at, key) SELECT now(), x.key FROM unnest(had) AS x (key);
  -- of an order, whoever was let in and has not begun waits for those before it that have just come
  FOR ahead IN
    SELECT r.*
    FROM (
      SELECT j.gates[1] AS key, min(j.id) AS id FROM duework.job_runs AS j
      WHERE j.id = ANY(changed) AND j.gates[1] LIKE 'order/%' GROUP BY j.gates[1]
    ) AS o
    JOIN duework.flow_keys AS k ON k.key = o.key
    CROSS JOIN LATERAL unnest(k.holders) AS h (id)
    CROSS JOIN LATERAL (
      SELECT j.* FROM duework.job_runs AS j
      WHERE j.id = h.id AND j.id > o.id AND j.gates[1] = o.key AND j.held_by IS DISTINCT FROM o.key
        AND j.status = 'queued' AND j.attempts = 0 AND j.snoozed_at IS NULL AND j.releases IS NULL
      FOR UPDATE SKIP LOCKED
    ) AS r
  LOOP
    UPDATE duework.job_runs AS j SET held_by = j.gates[1] WHERE j.id = ahead.id;
    PERFORM duework.line_up_anew(ahead);
  END LOOP;
  PERFORM pg_notify('duework_wake', q.queue) FROM unnest(queues) AS q (queue);
END
$function$;

CREATE OR REPLACE FUNCTION duework.check_at_commit()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  place tid;
BEGIN
  SET CONSTRAINTS duework.commit_checks_alone DEFERRED;
  INSERT INTO duework.commit_checks VALUES (statement_timestamp()) RETURNING ctid INTO place;
  DELETE FROM duework.commit_checks WHERE ctid = place;
END
$function$;

CREATE OR REPLACE FUNCTION duework.check_meta(meta jsonb)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  -- octet_length: jsonb writes a blank behind each comma and colon
  IF jsonb_typeof(meta) <> 'object' OR jsonb_path_exists(meta, '$.* ? (@.type() != "string")')
    OR octet_length(meta::text) > 2048 THEN
    RAISE EXCEPTION 'meta is a JSON object of texts, of at most 2048 bytes.'
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION duework.check_payload(type text, payload jsonb, schema jsonb)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  max_bytes CONSTANT integer := 65536;
  content   text := payload::text;
  bytes     integer := octet_length(content);
  validator name;
  is_valid  boolean := true;
BEGIN
  IF EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = check_payload.type AND d.requires_encryption) THEN
    RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', type
      USING ERRCODE = '22W08', DETAIL = 'key_ring_missing',
        HINT = 'Enqueue it in TypeScript, in a process that has a key ring.';
  END IF;
  -- jsonb writes a blank behind each comma and colon, which the limit does not count: less than half of its text
  IF bytes BETWEEN max_bytes + 1 AND 2 * max_bytes THEN
    content := regexp_replace(content, E'"([^"\\\\]|\\\\.)*"', '', 'g');
    bytes := bytes - (length(content) - length(replace(content, ' ', '')));
  END IF;
  IF bytes > max_bytes THEN
    RAISE EXCEPTION 'The payload of % is % bytes; the limit is %.', type, bytes, max_bytes
      USING ERRCODE = '22W03', DETAIL = 'payload_too_large',
        HINT = 'Store the content elsewhere and enqueue a reference.';
  END IF;
  -- a level takes two characters
  IF bytes > 200 AND jsonb_path_exists(payload, 'strict $.**{100} ? (@.type() == "object" || @.type() == "array")') THEN
    RAISE EXCEPTION 'The payload of % is nested more than 100 levels deep.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  IF strpos(payload::text, '"__proto__":') > 0 AND jsonb_path_exists(payload, '$.**."__proto__"') THEN
    RAISE EXCEPTION 'The payload of % has a key "__proto__", which would be lost.', type
      USING ERRCODE = '22W04', DETAIL = 'payload_not_storable';
  END IF;
  SELECT n.nspname INTO validator FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'pg_jsonschema';
  IF validator IS NULL OR schema IS NULL THEN RETURN; END IF;
  BEGIN
    EXECUTE format('SELECT %I.jsonb_matches_schema($1, $2)', validator) INTO is_valid USING schema::json, payload;
  EXCEPTION WHEN OTHERS THEN
    -- the worker parses it anyway: a check that cannot be made must not undo the caller's work
    RAISE WARNING 'The payload of % could not be checked: %', type, SQLERRM;
  END;
  IF NOT is_valid THEN
    RAISE EXCEPTION 'The payload of % does not fit the JSON Schema of its contract.', type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload',
        HINT = format('The schema is payload_schema in duework.job_definitions; %I.jsonschema_validation_errors says what is wrong.', validator);
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION duework.compare_run(run_id bigint, version integer, payload jsonb, OUT status text, OUT run_at timestamp with time zone, OUT differs boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  SELECT r.status, r.run_at, r.job_version = compare_run.version
    AND duework.payloads_differ(r.payload, compare_run.payload)
  INTO status, run_at, differs
  FROM duework.job_runs r WHERE r.id = run_id;
  IF FOUND THEN RETURN; END IF;
  EXECUTE '
    SELECT status, run_at, job_version = $2 AND duework.payloads_differ(payload, $3)
    FROM duework.job_history_days WHERE id = $1'
  INTO status, run_at, differs USING run_id, compare_run.version, compare_run.payload;
  IF status IS NOT NULL THEN RETURN; END IF;
  SELECT h.status, h.run_at, h.job_version = compare_run.version
    AND duework.payloads_differ(h.payload, compare_run.payload)
  INTO status, run_at, differs
  FROM (
    SELECT * FROM duework.job_history_dead
    UNION ALL SELECT * FROM duework.job_history_cancelled
    UNION ALL SELECT * FROM duework.job_history_late
  ) h
  WHERE h.id = run_id;
END
$function$;

CREATE OR REPLACE FUNCTION duework.count_held(budget integer)
 RETURNS TABLE(queue text, job_type text, held bigint, scheduled bigint, retrying bigint, is_at_least boolean)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.count_queue_depth(budget integer)
 RETURNS TABLE(queue text, job_type text, due bigint, scheduled bigint, retrying bigint, running bigint, oldest_waiting_seconds double precision, is_at_least boolean)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.count_recent_attempts(lately interval, pages integer)
 RETURNS TABLE(job_type text, attempts bigint, failed bigint, error text, since_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.count_runs_ahead(of_id bigint, of_types text[], budget integer)
 RETURNS TABLE(ahead bigint, is_at_least boolean)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
  WITH run AS MATERIALIZED (SELECT r.id, r.queue, r.priority, r.run_at FROM duework.job_runs r WHERE r.id = of_id),
  walked AS MATERIALIZED (
    SELECT w.*
    FROM run
    CROSS JOIN generate_series(0, 9) AS p (priority)
    CROSS JOIN LATERAL (
      SELECT p.priority, j.job_type, j.status
      FROM duework.job_runs j
      WHERE j.held_by IS NULL AND j.queue = run.queue AND j.priority = p.priority::smallint AND j.run_at <= now()
        AND (j.run_at, j.id) < (CASE WHEN p.priority = run.priority THEN run.run_at ELSE 'infinity' END, run.id)
      ORDER BY j.run_at, j.id
      LIMIT budget
    ) w
    WHERE p.priority <= run.priority
  )
  SELECT coalesce(sum(c.ahead), 0)::bigint, coalesce(bool_or(c.walked >= budget), false)
  FROM (
    SELECT count(*) AS walked, count(*) FILTER (WHERE w.status <> 'running' AND w.job_type = ANY(of_types)) AS ahead
    FROM walked w GROUP BY w.priority
  ) c
$function$;

CREATE OR REPLACE FUNCTION duework.count_unserved_jobs(budget integer)
 RETURNS TABLE(queue text, job_type text, job_version integer, waiting bigint, oldest_due_at timestamp with time zone, is_at_least boolean)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
    SELECT p.queue, w.job_type, w.job_version, count(*) FILTER (WHERE w.status <> 'running') AS waiting,
      min(w.run_at) FILTER (WHERE w.status <> 'running') AS oldest_due_at,
      sum(count(*)) OVER (PARTITION BY p.queue, p.priority) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.job_type, j.job_version, j.status, j.run_at
      FROM duework.job_runs j
      WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
      ORDER BY j.run_at
      LIMIT budget
    ) w
    GROUP BY p.queue, p.priority, w.job_type, w.job_version
  )
  SELECT c.queue, c.job_type, c.job_version, sum(c.waiting)::bigint, min(c.oldest_due_at), bool_or(c.is_at_least)
  FROM counted c
  WHERE c.waiting > 0
    AND NOT EXISTS (
      SELECT FROM duework.worker_contracts w
      WHERE c.queue = ANY(w.queues)
        AND c.job_version BETWEEN (w.contracts -> c.job_type ->> 0)::integer
          AND (w.contracts -> c.job_type ->> 1)::integer
        AND w.seen_at > now() - interval '3 minutes'
        AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
    )
  GROUP BY c.queue, c.job_type, c.job_version
$function$;

CREATE OR REPLACE FUNCTION duework.counted_from(due_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN statement_timestamp() > due_at + interval '1 second' THEN statement_timestamp() ELSE due_at END
$function$;

CREATE OR REPLACE FUNCTION duework.day_of_id(id bigint)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT DATE '1970-01-01' + (id / 100000000000)::integer $function$;

CREATE OR REPLACE FUNCTION duework.empty_copy(by text, via text, reason text, OUT jobs bigint, OUT schedules bigint)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.ending_of(ended duework.job_history)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT jsonb_strip_nulls(jsonb_build_object('id', ended.id::text, 'status', ended.status, 'result', ended.result,
    'errorCode', ended.error_code, 'error', ended.last_error))
$function$;

CREATE OR REPLACE FUNCTION duework.enqueue(type text, payload jsonb DEFAULT NULL::jsonb, idempotency_key text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, delay interval DEFAULT NULL::interval, priority integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer, version integer DEFAULT NULL::integer, meta jsonb DEFAULT NULL::jsonb, queue text DEFAULT NULL::text, OUT id bigint, OUT is_deduplicated boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  run    jsonb;
  wake   text;
  answer text[];
BEGIN
  run := duework.make_run(
    type, payload, idempotency_key, run_at, delay, priority, max_attempts, version, meta, queue
  );

  wake := duework.hint_of(run ->> 'queue', enqueue.run_at IS NULL AND enqueue.delay IS NULL);
  IF run ? 'rule' AND run ? 'key' THEN
    run := duework.write_unique(run || jsonb_build_object('at', coalesce(run_at, CASE WHEN delay > '0' THEN statement_timestamp() + delay END), 'delayMs', 0), wake);
    id := run ->> 'id';
    is_deduplicated := run ->> 'status' IS NOT NULL;
    RETURN;
  END IF;
  answer := string_to_array(
    duework.enqueue_1(
      type, (run ->> 'version')::integer, run ->> 'queue', (run ->> 'priority')::smallint,
      (run ->> 'maxAttempts')::integer, run -> 'payload',
      coalesce(run_at, CASE WHEN delay > '0' THEN statement_timestamp() + delay END), 0, run ->> 'key',
      (run ->> 'keyWindowMs')::float8, wake, NULL, run -> 'meta', run -> 'flow'
    ),
    ' '
  );
  id := answer[1];
  is_deduplicated := cardinality(answer) = 3;
END
$function$;

CREATE OR REPLACE FUNCTION duework.enqueue_1(type text, version integer, queue text, priority smallint, max_attempts integer, payload jsonb, at timestamp with time zone, delay_ms double precision, key text, key_window_ms double precision, wake text, in_transaction text, meta jsonb DEFAULT NULL::jsonb, flow jsonb DEFAULT NULL::jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  new_id bigint;
  holder bigint;
  gone   bigint;
  seen   record;
  -- a delay counts from the enqueue: the transaction may have begun long before
  due_at timestamptz := coalesce(enqueue_1.at, CASE WHEN enqueue_1.delay_ms > 0 THEN statement_timestamp() ELSE now() END
    + enqueue_1.delay_ms * interval '1 millisecond');
  made_at timestamptz := now();
BEGIN
  IF in_transaction = '' THEN
    IF pg_current_xact_id_if_assigned() IS NULL THEN
      -- job_runs_alone looks at it at the commit, which costs no row and no look at a table
      made_at := statement_timestamp();
      -- as a client has it that sends no parameters apart
      IF made_at = now() THEN PERFORM duework.check_at_commit(); END IF;
    END IF;
  ELSIF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction THEN RETURN 'left ' || pg_current_xact_id(); END IF;
  END IF;
  IF enqueue_1.key IS NULL THEN
    IF enqueue_1.flow IS NOT NULL THEN
      new_id := duework.next_run_id();
    ELSE
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta,
        created_at)
      VALUES (
        enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload,
        enqueue_1.max_attempts, enqueue_1.meta, made_at
      )
      RETURNING id INTO new_id;
    END IF;
  ELSE
    LOOP
      SELECT run_id INTO holder FROM duework.job_keys
      WHERE job_type = enqueue_1.type AND key = enqueue_1.key AND (expires_at <= now()) IS NOT TRUE;
      IF holder IS NOT NULL THEN
        -- STABLE, so that it looks with one snapshot: a run that moves between tables meanwhile is never taken for
        -- dropped
        SELECT f.status, f.run_at, f.differs INTO seen
        FROM duework.compare_run(holder, enqueue_1.version, enqueue_1.payload) f;
        IF seen.status IS NOT NULL THEN
          RETURN holder || ' ' || date_part('epoch', seen.run_at) * 1000 || ' ' || seen.status
            || CASE WHEN seen.differs THEN ',differs' ELSE '' END;
        END IF;
        -- retention has dropped its run: the key is free
        gone := holder;
      END IF;
      new_id := coalesce(new_id, duework.next_run_id());
      -- updates even when nothing changes, because DO NOTHING would not wait for the transaction that holds the key
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      VALUES (enqueue_1.type, enqueue_1.key, new_id, statement_timestamp() + key_window_ms * interval '1 millisecond')
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = gone THEN excluded.expires_at ELSE k.expires_at END
      RETURNING run_id INTO holder;
      EXIT WHEN holder = new_id;
      -- another transaction has just committed it: this one's next look sees its run
    END LOOP;
    IF enqueue_1.flow IS NULL THEN
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key,
        max_attempts, meta, created_at)
      VALUES (
        new_id, enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload,
        enqueue_1.key, enqueue_1.max_attempts, enqueue_1.meta, made_at
      );
    END IF;
  END IF;
  IF enqueue_1.flow IS NOT NULL THEN
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key,
      max_attempts, meta, created_at, held_by, gates, gate_units, terms)
    VALUES (
      new_id, enqueue_1.queue, enqueue_1.type, enqueue_1.version, enqueue_1.priority, due_at, enqueue_1.payload,
      enqueue_1.key, enqueue_1.max_attempts, enqueue_1.meta, made_at, flow -> 'gates' ->> 0,
      CASE WHEN flow ? 'gates' THEN ARRAY(SELECT jsonb_array_elements_text(flow -> 'gates')) END,
      CASE WHEN flow ? 'units' THEN ARRAY(SELECT jsonb_array_elements_text(flow -> 'units')::integer) END,
      duework.terms_of(flow -> 'terms', coalesce(enqueue_1.at, duework.counted_from(due_at)))
    );
    PERFORM duework.line_up(ARRAY[new_id]);
    IF flow ? 'terms' THEN PERFORM duework.note_terms(ARRAY[new_id]); END IF;
  END IF;
  IF wake IS NOT NULL THEN
    PERFORM duework.notify(
      'duework_wake', CASE WHEN strpos(wake, ' ') > 0 THEN wake || ' ' || pg_current_xact_id() ELSE wake END
    );
  END IF;
  RETURN new_id || ' ' || date_part('epoch', due_at) * 1000;
END
$function$;

CREATE OR REPLACE FUNCTION duework.enqueue_many_1(types text[], versions integer[], queues text[], priorities smallint[], max_attempts integer[], key_windows_ms double precision[], payloads jsonb, kinds integer[], ats timestamp with time zone[], delays_ms double precision[], keys text[], wake text[], in_transaction text, metas jsonb DEFAULT NULL::jsonb, no_wait boolean DEFAULT false, flows jsonb DEFAULT NULL::jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  each_meta   jsonb := CASE WHEN jsonb_typeof(metas) = 'array' THEN metas END;
  shared_meta jsonb := CASE WHEN jsonb_typeof(metas) = 'object' THEN metas END;
  each_flow   jsonb := CASE WHEN jsonb_typeof(flows) = 'array' THEN flows END;
  shared_flow jsonb := CASE WHEN jsonb_typeof(flows) = 'object' THEN flows END;
  held     bigint[];
  gone     bigint[];
  -- of the runs that are answered; null: not yet
  ids      bigint[];
  due_ms   double precision[];
  statuses text[];
  -- the run that has the key has another payload; null: it is new
  differs  boolean[];
  -- nothing tells yet whether a transaction is open
  is_first boolean := false;
BEGIN
  IF no_wait THEN
    -- caught here, the lock timeout is no error for the caller, and no line of the server's log
    BEGIN
      PERFORM set_config('lock_timeout', '10ms', true);
      RETURN duework.enqueue_many_1(types, versions, queues, priorities, max_attempts, key_windows_ms, payloads, kinds,
        ats, delays_ms, keys, wake, in_transaction, metas, false, flows);
    EXCEPTION WHEN lock_not_available THEN
      RETURN '{"held": true}';
    END;
  END IF;
  IF in_transaction = '' THEN
    is_first := pg_current_xact_id_if_assigned() IS NULL;
  ELSIF in_transaction IS NOT NULL THEN
    IF pg_current_xact_id()::text <> in_transaction
      THEN RETURN json_build_object('left', pg_current_xact_id()::text); END IF;
  END IF;
  IF keys IS NULL AND flows IS NULL THEN
    WITH inserted AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, meta)
      SELECT queues[coalesce(x.kind, 1)], types[coalesce(x.kind, 1)], versions[coalesce(x.kind, 1)],
        priorities[coalesce(x.kind, 1)],
        CASE
          WHEN x.at IS NOT NULL THEN x.at
          WHEN x.delay_ms IS NULL THEN now()
          ELSE statement_timestamp() + x.delay_ms * interval '1 millisecond'
        END,
        x.payload, enqueue_many_1.max_attempts[coalesce(x.kind, 1)],
        coalesce(nullif(x.meta, 'null'), shared_meta)
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms),
        jsonb_array_elements(each_meta)
      ) AS x (payload, kind, at, delay_ms, meta)
      RETURNING id, run_at
    )
    SELECT array_agg(i.id),
      CASE WHEN enqueue_many_1.ats IS NOT NULL OR delays_ms IS NOT NULL
        THEN array_agg(date_part('epoch', i.run_at) * 1000) END
    INTO ids, due_ms
    FROM inserted i;
    PERFORM duework.notify(
      'duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END
    )
    FROM unnest(wake) AS w (hint);
    IF is_first THEN PERFORM duework.check_at_commit(); END IF;
    RETURN json_build_object('ids', ids, 'ats', due_ms, 'now', date_part('epoch', now()) * 1000);
  END IF;
  LOOP
    -- no joins, which the planner could turn around
    held := ARRAY(
      SELECT CASE WHEN x.id IS NULL AND x.key IS NOT NULL THEN (
        SELECT k.run_id FROM duework.job_keys k
        WHERE k.job_type = types[coalesce(x.kind, 1)] AND k.key = x.key AND (k.expires_at <= now()) IS NOT TRUE
      ) END
      FROM ROWS FROM (unnest(keys), unnest(kinds), unnest(ids)) WITH ORDINALITY AS x (key, kind, id, position)
      ORDER BY x.position
    );
    IF array_remove(held, NULL) <> '{}' THEN
      SELECT array_agg(CASE WHEN f.status IS NULL THEN x.id ELSE x.run_id END ORDER BY x.position),
        array_agg(coalesce(x.status, f.status) ORDER BY x.position),
        array_agg(coalesce(x.due_ms, date_part('epoch', f.run_at) * 1000) ORDER BY x.position),
        array_agg(coalesce(x.differs, f.differs) ORDER BY x.position),
        array_agg(x.run_id) FILTER (WHERE f.status IS NULL AND x.run_id IS NOT NULL)
      INTO ids, statuses, due_ms, differs, gone
      FROM ROWS FROM (
        unnest(held), unnest(ids), unnest(statuses), unnest(due_ms), unnest(differs), unnest(kinds),
        jsonb_array_elements(payloads)
      ) WITH ORDINALITY AS x (run_id, id, status, due_ms, differs, kind, payload, position)
      CROSS JOIN LATERAL duework.compare_run(x.run_id, versions[coalesce(x.kind, 1)], x.payload) AS f;
    END IF;
    EXIT WHEN array_position(ids, NULL) IS NULL AND ids IS NOT NULL;
    WITH input AS MATERIALIZED (
      SELECT x.*, coalesce(x.kind, 1) AS of_kind, CASE WHEN x.known_id IS NULL THEN duework.next_run_id() END AS id,
        CASE
          WHEN x.at IS NOT NULL THEN x.at
          WHEN x.delay_ms IS NULL THEN now()
          ELSE statement_timestamp() + x.delay_ms * interval '1 millisecond'
        END AS run_at
      FROM ROWS FROM (
        jsonb_array_elements(payloads), unnest(kinds), unnest(enqueue_many_1.ats), unnest(delays_ms), unnest(keys),
        unnest(ids),
        unnest(statuses), unnest(due_ms), jsonb_array_elements(each_meta), jsonb_array_elements(each_flow)
      ) WITH ORDINALITY AS x (payload, kind, at, delay_ms, key, known_id, status, due_ms, meta, flow, position)
    ),
    taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      SELECT DISTINCT ON (types[i.of_kind], i.key)
        types[i.of_kind], i.key, i.id, statement_timestamp() + key_windows_ms[i.of_kind] * interval '1 millisecond'
      FROM input i
      WHERE i.key IS NOT NULL AND i.known_id IS NULL
      ORDER BY types[i.of_kind], i.key, i.position
      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.created_at END,
        needed_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN now() ELSE k.needed_at END,
        expires_at = CASE WHEN k.expires_at <= now() OR k.run_id = ANY(gone) THEN excluded.expires_at
          ELSE k.expires_at END
      RETURNING run_id
    ),
    written AS MATERIALIZED (
      SELECT i.* FROM input i LEFT JOIN taken t ON t.run_id = i.id
      WHERE i.known_id IS NULL AND (i.key IS NULL OR t.run_id IS NOT NULL)
    ),
    inserted AS (
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key,
        max_attempts, meta, held_by, gates, gate_units, terms)
      SELECT i.id, queues[i.of_kind], types[i.of_kind], versions[i.of_kind], priorities[i.of_kind], i.run_at,
        i.payload, i.key,
        enqueue_many_1.max_attempts[i.of_kind], coalesce(nullif(i.meta, 'null'), shared_meta),
        f.flow -> 'gates' ->> 0,
        CASE WHEN f.flow ? 'gates' THEN ARRAY(SELECT jsonb_array_elements_text(f.flow -> 'gates')) END,
        CASE WHEN f.flow ? 'units' THEN ARRAY(SELECT jsonb_array_elements_text(f.flow -> 'units')::integer) END,
        CASE WHEN f.flow ? 'terms' THEN duework.terms_of(f.flow -> 'terms', coalesce(i.at, duework.counted_from(i.run_at))) END
      FROM written i CROSS JOIN LATERAL (SELECT coalesce(nullif(i.flow, 'null'), shared_flow) AS flow) f
    )
    SELECT array_agg(coalesce(i.known_id, w.id) ORDER BY i.position),
      array_agg(coalesce(i.due_ms, date_part('epoch', w.run_at) * 1000) ORDER BY i.position),
      array_agg(i.status ORDER BY i.position)
    INTO ids, due_ms, statuses
    FROM input i LEFT JOIN written w ON w.id = i.id;
    -- what is not answered now has an earlier run, in this batch or in a transaction that has just committed: the
    -- next look sees it
    EXIT WHEN array_position(ids, NULL) IS NULL;
  END LOOP;
  IF flows IS NOT NULL THEN
    PERFORM duework.line_up(n.ids),
      CASE WHEN jsonb_path_exists(flows, '$[*].terms') THEN duework.note_terms(n.ids)::text END
    FROM (SELECT ARRAY(SELECT x.id FROM unnest(ids, statuses) AS x (id, status) WHERE x.status IS NULL)) AS n (ids);
  END IF;
  IF array_position(statuses, NULL) IS NOT NULL THEN
    IF is_first THEN PERFORM duework.check_at_commit(); END IF;
    PERFORM duework.notify(
      'duework_wake', CASE WHEN strpos(w.hint, ' ') > 0 THEN w.hint || ' ' || pg_current_xact_id() ELSE w.hint END
    )
    FROM unnest(wake) AS w (hint);
  END IF;
  RETURN json_build_object('ids', ids, 'ats', due_ms, 'statuses', statuses, 'differs', differs);
END
$function$;

CREATE OR REPLACE FUNCTION duework.enqueue_unique_1(runs jsonb, wakes jsonb, in_transaction text, may_raise boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  each    record;
  told    jsonb := wakes;
  answers jsonb[] := array_fill(NULL::jsonb, ARRAY[jsonb_array_length(runs)]);
  refused text;
BEGIN
  IF in_transaction = '' THEN
    PERFORM duework.require_transaction('');
  ELSIF pg_current_xact_id()::text <> in_transaction THEN
    RETURN json_build_object('left', pg_current_xact_id()::text);
  END IF;
  IF NOT may_raise AND jsonb_path_exists(runs, '$[*].rule ? (@.onConflict == "refuse")') THEN
    -- what was written before the refused one is taken back, and the caller's transaction can go on
    BEGIN
      RETURN duework.enqueue_unique_1(runs, wakes, NULL, true);
    EXCEPTION WHEN SQLSTATE '22W12' THEN
      GET STACKED DIAGNOSTICS refused = PG_EXCEPTION_HINT;
      RETURN refused;
    END;
  END IF;
  FOR each IN
    SELECT x.run, x.position, x.run ->> 'queue' AS queue
    FROM jsonb_array_elements(runs) WITH ORDINALITY AS x (run, position)
    ORDER BY x.run ->> 'type', x.run ->> 'key', x.position
  LOOP
    answers[each.position] := duework.write_unique(each.run, told ->> each.queue);
    -- a queue is told once
    IF jsonb_typeof(answers[each.position] -> 'status') = 'null' THEN told := told - each.queue; END IF;
  END LOOP;
  RETURN array_to_json(answers);
END
$function$;

CREATE OR REPLACE FUNCTION duework.ensure_partitions(days_ahead integer, days_back integer DEFAULT 0)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  made integer := duework.make_partitions(days_ahead, days_back);
BEGIN
  IF made > 0 THEN PERFORM duework.share_rights(); END IF;
  RETURN made;
END
$function$;

CREATE OR REPLACE FUNCTION duework.error_words(code text, type text, message text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT translate(
    lower(left(coalesce(code || ' ', '') || coalesce(type || ' ', '') || coalesce(message, ''), 4000)),
    E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\n\r\t\u00a0«»–—‘’“”„…→', repeat(' ', 48)
  )
$function$;

CREATE OR REPLACE FUNCTION duework.expire_runs(batch integer, OUT ids bigint[], OUT types text[], OUT looked integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  due   bigint[];
  ended bigint[];
BEGIN
  WITH gone AS (
    DELETE FROM duework.expiries
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.expiries WHERE at <= now() ORDER BY at LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING run_id
  )
  SELECT array_agg(g.run_id) INTO due FROM gone g;
  looked := coalesce(cardinality(due), 0);
  IF looked = 0 THEN RETURN; END IF;
  -- nobody claims or changes them any more; whoever has a row just now has it first, and is looked at again
  WITH locked AS MATERIALIZED (
    SELECT r.id, r.status, r.attempts, r.snoozed_at, r.releases, (r.terms ->> 'expiresAt')::timestamptz AS expires_at
    FROM duework.job_runs r WHERE r.id = ANY(due) ORDER BY r.id FOR UPDATE SKIP LOCKED
  ),
  again AS (
    INSERT INTO duework.expiries (at, run_id)
    -- it expires later than was noted; or another one has the row; or it may be given back before it has started, which
    -- is looked for the less often the longer it runs
    SELECT CASE
        WHEN l.expires_at > now() THEN l.expires_at
        ELSE now() + greatest(interval '5 seconds', now() - l.expires_at)
      END, r.id
    FROM duework.job_runs r LEFT JOIN locked l ON l.id = r.id
    WHERE r.id = ANY(due) AND r.terms ? 'expiresAt'
      AND (l.id IS NULL OR l.expires_at > now() OR (l.status = 'running' AND l.attempts = 1
        AND l.snoozed_at IS NULL AND l.releases IS NULL))
    ON CONFLICT DO NOTHING
  )
  SELECT array_agg(l.id) INTO ended
  FROM locked l
  WHERE l.status = 'queued' AND l.attempts = 0 AND l.snoozed_at IS NULL AND l.releases IS NULL AND l.expires_at <= now();
  IF ended IS NULL THEN RETURN; END IF;
  PERFORM duework.tell_expired(r.id, r.job_type, r.payload, r.terms ->> 'onExpired')
  FROM duework.job_runs r WHERE r.id = ANY(ended) AND r.terms ? 'onExpired';
  SELECT array_agg(c.id), array_agg(c.job_type) INTO ids, types
  FROM duework.cancel_waiting(ended, 'expiry', 'It had not started in time', 'expired') c;
END
$function$;

CREATE OR REPLACE FUNCTION duework.find_alerts(limits jsonb DEFAULT '{}'::jsonb)
 RETURNS TABLE(name text, subject text, facts jsonb)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_candidates(query text, tables text[], args text[], budget integer)
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_compensations(budget integer)
 RETURNS TABLE(job_type text, running integer, failed integer)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
  WITH RECURSIVE types (job_type, place) AS (
    (SELECT s.job_type, 1 FROM duework.job_steps AS s
     WHERE (s.status = 'failed' OR s.name LIKE 'undo %') AND s.job_type IS NOT NULL ORDER BY s.job_type LIMIT 1)
    UNION ALL
    SELECT n.job_type, t.place + 1
    FROM types AS t
    CROSS JOIN LATERAL (
      SELECT s.job_type FROM duework.job_steps AS s
      WHERE (s.status = 'failed' OR s.name LIKE 'undo %') AND s.job_type > t.job_type ORDER BY s.job_type LIMIT 1
    ) AS n
    WHERE t.place < 200
  ),
  share AS (SELECT least(500, greatest(50, budget / greatest(1, count(*))))::integer AS each FROM types)
  SELECT t.job_type, count(DISTINCT l.run_id)::integer, (count(*) FILTER (WHERE l.has_failed))::integer
  FROM types AS t
  CROSS JOIN share AS h
  CROSS JOIN LATERAL (
    SELECT s.awaits = 'child' AND s.result ->> 'status' <> 'succeeded' AS has_failed,
      (SELECT r.id FROM duework.job_runs AS r WHERE r.id = s.run_id) AS run_id
    FROM duework.job_steps AS s
    WHERE (s.status = 'failed' OR s.name LIKE 'undo %') AND s.job_type = t.job_type
    ORDER BY s.done_at DESC LIMIT h.each
  ) AS l
  GROUP BY t.job_type
$function$;

CREATE OR REPLACE FUNCTION duework.find_day(low_id bigint, high_id bigint, is_upward boolean)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_forgotten_keys(after text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_ids(source text, candidates text[], condition text, args text[], low_id bigint, high_id bigint, is_upward boolean, most integer, budget integer, is_counted boolean, OUT ids bigint[], OUT end_id bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_indexscan TO 'on'
 SET enable_sort TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_ids_by_key(of_keys text[])
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  WITH RECURSIVE types (job_type) AS (
    (SELECT k.job_type FROM duework.job_keys k ORDER BY k.job_type LIMIT 1)
    UNION ALL
    SELECT next.job_type
    FROM types t
    CROSS JOIN LATERAL (SELECT k.job_type FROM duework.job_keys k WHERE k.job_type > t.job_type ORDER BY k.job_type
      LIMIT 1) next
  )
  SELECT k.run_id FROM types t JOIN duework.job_keys k ON k.job_type = t.job_type AND k.key = ANY(of_keys)
$function$;

CREATE OR REPLACE FUNCTION duework.find_ids_by_schedule(of_keys text[])
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  SELECT s.run_id
  FROM unnest(of_keys) AS k (key)
  CROSS JOIN LATERAL (
    SELECT l.run_id, l.due_at FROM duework.schedule_ledger l WHERE l.schedule_key = k.key AND l.run_id IS NOT NULL
    ORDER BY l.due_at DESC LIMIT 20000
  ) s
  ORDER BY s.due_at DESC
  LIMIT 20000
$function$;

CREATE OR REPLACE FUNCTION duework.find_job(run_id bigint)
 RETURNS SETOF duework.jobs
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM duework.live_jobs WHERE id = run_id;
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY EXECUTE 'SELECT * FROM duework.finished_jobs WHERE id = $1' USING run_id;
END
$function$;

CREATE OR REPLACE FUNCTION duework.find_last_run(of_type text, days integer)
 RETURNS SETOF duework.job_history
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_leased_runs(budget integer)
 RETURNS TABLE(id bigint, queue text, job_type text, job_version integer, locked_by text, locked_until timestamp with time zone, claimed_at timestamp with time zone, attempts integer, is_at_least boolean)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
  walked AS MATERIALIZED (
    SELECT w.*, count(*) OVER (PARTITION BY w.queue, w.priority) >= budget AS is_at_least
    FROM places p
    CROSS JOIN LATERAL (
      SELECT j.id, j.queue, j.priority, j.job_type, j.job_version, j.status, j.locked_by, j.locked_until, j.claimed_at,
        j.attempts
      FROM duework.job_runs j
      WHERE j.held_by IS NULL AND j.queue = p.queue AND j.priority = p.priority AND j.run_at <= now()
      ORDER BY j.run_at
      LIMIT budget
    ) w
  )
  SELECT w.id, w.queue, w.job_type, w.job_version, w.locked_by, w.locked_until, w.claimed_at, w.attempts,
    bool_or(w.is_at_least) OVER ()
  FROM walked w
  WHERE w.status = 'running'
$function$;

CREATE OR REPLACE FUNCTION duework.find_lost_places(after text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_run_status(run_id bigint, OUT status text, OUT run_at timestamp with time zone, OUT finished_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  SELECT r.status, r.run_at INTO status, run_at FROM duework.job_runs r WHERE r.id = run_id;
  IF FOUND THEN RETURN; END IF;
  EXECUTE 'SELECT status, run_at, finished_at FROM duework.job_history_days WHERE id = $1'
  INTO status, run_at, finished_at USING run_id;
  IF status IS NOT NULL THEN RETURN; END IF;
  SELECT h.status, h.run_at, h.finished_at INTO status, run_at, finished_at
  FROM (
    SELECT * FROM duework.job_history_dead
    UNION ALL SELECT * FROM duework.job_history_cancelled
    UNION ALL SELECT * FROM duework.job_history_late
  ) h
  WHERE h.id = run_id;
END
$function$;

CREATE OR REPLACE FUNCTION duework.find_running(queues text[], condition text, args text[], after_run_at timestamp with time zone, after_id bigint, is_upward boolean, most integer, budget integer, OUT ids bigint[], OUT end_run_at timestamp with time zone, OUT end_id bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.find_step_times(budget integer)
 RETURNS TABLE(job_type text, step text, kind text, times integer, median_ms double precision, p95_ms double precision, failed integer)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
  WITH RECURSIVE types (job_type, place) AS (
    (SELECT s.job_type, 1 FROM duework.job_steps AS s
     WHERE s.status <> 'waiting' AND s.job_type IS NOT NULL ORDER BY s.job_type LIMIT 1)
    UNION ALL
    SELECT n.job_type, t.place + 1
    FROM types AS t
    CROSS JOIN LATERAL (
      SELECT s.job_type FROM duework.job_steps AS s
      WHERE s.status <> 'waiting' AND s.job_type > t.job_type ORDER BY s.job_type LIMIT 1
    ) AS n
    WHERE t.place < 200
  ),
  share AS (SELECT least(2000, greatest(50, budget / greatest(1, count(*))))::integer AS each FROM types)
  SELECT t.job_type, l.step, l.kind, count(*)::integer, percentile_cont(0.5) WITHIN GROUP (ORDER BY l.ms),
    percentile_cont(0.95) WITHIN GROUP (ORDER BY l.ms), (count(*) FILTER (WHERE l.has_failed))::integer
  FROM types AS t
  CROSS JOIN share AS h
  CROSS JOIN LATERAL (
    SELECT regexp_replace(s.name, ' [0-9]+$', '') AS step, greatest(0, extract(epoch FROM s.done_at - s.began_at)::float8 * 1000) AS ms,
      coalesce(s.awaits, CASE WHEN s.wakes_at IS NULL THEN 'work' ELSE 'time' END) AS kind,
      s.status = 'failed' OR coalesce(s.awaits = 'child' AND s.result ->> 'status' <> 'succeeded', false) AS has_failed
    FROM duework.job_steps AS s
    WHERE s.status <> 'waiting' AND s.job_type = t.job_type AND s.name <> '$graph'
    ORDER BY s.done_at DESC LIMIT h.each
  ) AS l
  GROUP BY t.job_type, l.step, l.kind
$function$;

CREATE OR REPLACE FUNCTION duework.find_waiting_steps(most_steps integer, budget integer)
 RETURNS TABLE(job_type text, step text, kind text, of text, jobs integer, is_at_least boolean, since timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
  WITH RECURSIVE places (job_type, step, place) AS (
    (SELECT s.job_type, s.at, 1 FROM duework.job_steps AS s
     WHERE s.status = 'waiting' AND s.at IS NOT NULL AND s.job_type IS NOT NULL
     ORDER BY s.job_type, s.at LIMIT 1)
    UNION ALL
    SELECT n.job_type, n.step, p.place + 1
    FROM places AS p
    CROSS JOIN LATERAL (
      SELECT s.job_type, s.at AS step FROM duework.job_steps AS s
      WHERE s.status = 'waiting' AND s.at IS NOT NULL AND (s.job_type, s.at) > (p.job_type, p.step)
      ORDER BY s.job_type, s.at LIMIT 1
    ) AS n
    WHERE p.place < most_steps
  ),
  share AS (SELECT least(10000, greatest(200, budget / greatest(1, count(*))))::integer AS each FROM places)
  SELECT p.job_type, p.step, f.kind, f.of, least(w.jobs, h.each), w.looked > h.each, f.since
  FROM places AS p
  CROSS JOIN share AS h
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT l.run_id)::integer AS jobs, count(*) AS looked
    FROM (
      SELECT s.run_id FROM duework.job_steps AS s
      WHERE s.status = 'waiting' AND s.at IS NOT NULL AND s.job_type = p.job_type AND s.at = p.step
      ORDER BY s.began_at DESC LIMIT h.each + 1
    ) AS l
  ) AS w
  CROSS JOIN LATERAL (
    SELECT s.began_at AS since, coalesce(s.awaits, 'time') AS kind,
      -- the name of the signal alone: its key has values of a payload in it
      CASE s.awaits WHEN 'signal' THEN split_part(s.awaited, ' ', 1) END AS of
    FROM duework.job_steps AS s
    WHERE s.status = 'waiting' AND s.at IS NOT NULL AND s.job_type = p.job_type AND s.at = p.step
    ORDER BY s.began_at LIMIT 1
  ) AS f
$function$;

CREATE OR REPLACE FUNCTION duework.first_id_of(day date)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT (day - DATE '1970-01-01') * 100000000000 $function$;

CREATE OR REPLACE FUNCTION duework.first_id_today(days integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ SELECT (floor(date_part('epoch', now()) / 86400)::bigint + days) * 100000000000 $function$;

CREATE OR REPLACE FUNCTION duework.forget_runs(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  DELETE FROM duework.job_effects AS e WHERE e.run_id = ANY(ids);
  DELETE FROM duework.job_steps AS s WHERE s.run_id = ANY(ids);
  -- planned for these ids, so that only their days are opened
  EXECUTE 'DELETE FROM duework.job_attempts_days AS a WHERE a.run_id = ANY($1)' USING ids;
  DELETE FROM duework.job_attempts_late AS a WHERE a.run_id = ANY(ids);
END
$function$;

CREATE OR REPLACE FUNCTION duework.free_keys(ids bigint[], types text[], keys text[])
 RETURNS bigint[]
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.gate_to_retry(gates text[])
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE
    WHEN gates[1] LIKE 'order/%' AND NOT EXISTS (
      SELECT FROM duework.flow_rules AS u
      WHERE u.name = duework.rule_of_key(gates[1]) AND u.declared ->> 'onFailure' = 'step_over'
    ) THEN gates[2]
    ELSE gates[1]
  END
$function$;

CREATE OR REPLACE FUNCTION duework.gate_to_wait(run duework.job_runs, gates text[])
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN (run.attempts > 0 OR run.snoozed_at IS NOT NULL OR run.releases IS NOT NULL) AND run.gates[1] = gates[1]
    THEN duework.gate_to_retry(gates) ELSE gates[1] END
$function$;

CREATE OR REPLACE FUNCTION duework.gates_in_queue(gates text[], queue text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT array_agg(CASE WHEN g.gate LIKE 'tenant/%'
      THEN 'tenant/' || queue || substr(g.gate, length(duework.rule_of_key(g.gate)) + 1) ELSE g.gate END ORDER BY g.place)
  FROM unnest(gates) WITH ORDINALITY AS g (gate, place)
$function$;

CREATE OR REPLACE FUNCTION duework.gates_of(type text, rules jsonb, payload jsonb, queue text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  gates text[] := '{}';
  units integer[] := '{}';
  rule  jsonb;
  path  text[];
  value jsonb;
  told  text;
  name  text;
BEGIN
  IF rules IS NULL THEN RETURN NULL; END IF;
  FOR rule IN SELECT jsonb_array_elements(rules) LOOP
    name := CASE WHEN rule ->> 'rule' LIKE 'tenant/%' THEN 'tenant/' || coalesce(queue, split_part(rule ->> 'rule', '/', 2))
      ELSE rule ->> 'rule' END;
    IF rule ? 'by' THEN
      path := ARRAY(SELECT jsonb_array_elements_text(rule -> 'by'));
      value := payload #> path;
      told := coalesce(value #>> '{}', '');
      IF jsonb_typeof(value) IN ('object', 'array') THEN
        RAISE EXCEPTION 'The payload of % has an % at %, by which % tells runs apart: a text, a number or a boolean is needed.',
          type, jsonb_typeof(value), array_to_string(path, '.'), rule ->> 'rule'
          USING ERRCODE = '22W09', DETAIL = 'invalid_flow_value';
      END IF;
      IF jsonb_typeof(value) = 'number' THEN told := trim_scale(told::numeric); END IF;
      IF length(told) > 200 THEN told := '#' || encode(sha256(convert_to(told, 'UTF8')), 'hex'); END IF;
      gates := gates || (name || '/' || told);
    ELSE
      gates := gates || name;
    END IF;
    value := rule -> 'units';
    IF jsonb_typeof(value) = 'array' THEN
      path := ARRAY(SELECT jsonb_array_elements_text(value));
      value := payload #> path;
      IF jsonb_typeof(value) = 'number' AND value::numeric BETWEEN 1 AND 1000000 AND value::numeric % 1 = 0 THEN
        value := to_jsonb(value::numeric::integer);
      ELSE
        RAISE EXCEPTION 'The payload of % has no whole number from 1 to 1000000 at %, which is how much a run takes of %.',
          type, array_to_string(path, '.'), rule ->> 'rule'
          USING ERRCODE = '22W09', DETAIL = 'invalid_flow_value';
      END IF;
    END IF;
    units := units || coalesce(value::integer, 1);
  END LOOP;
  RETURN jsonb_build_object('gates', gates)
    || CASE WHEN 1 = ALL(units) THEN '{}' ELSE jsonb_build_object('units', units) END;
END
$function$;

CREATE OR REPLACE FUNCTION duework.gates_shape(flow jsonb, has_gate_code boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT jsonb_agg(r.rule - 'declared' ORDER BY r.place) || to_jsonb(has_gate_code)
  FROM jsonb_array_elements(flow) WITH ORDINALITY AS r (rule, place)
$function$;

CREATE OR REPLACE FUNCTION duework.has_chore(name text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN CASE split_part(name, ' ', 1)
    WHEN 'expire' THEN EXISTS (SELECT FROM duework.expiries AS e WHERE e.at <= now())
    WHEN 'batches' THEN EXISTS (SELECT FROM duework.job_batch_changes)
    WHEN 'keys' THEN EXISTS (SELECT FROM duework.flow_waits)
    WHEN 'bulk_actions' THEN EXISTS (SELECT FROM duework.bulk_actions AS a WHERE a.status = 'running') OR EXISTS (SELECT FROM duework.bulk_undos)
    ELSE true
  END;
END
$function$;

CREATE OR REPLACE FUNCTION duework.hint_of(queue text, is_due boolean)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  counter text := 'duework.told_' || replace(queue, '-', '$');
  told    integer := coalesce(substring(current_setting(counter, true) FROM '^[0-9]{1,3}$')::integer, 0) + 1;
BEGIN
  PERFORM set_config(counter, least(told, 10)::text, true);
  RETURN CASE WHEN told >= 10 THEN queue ELSE queue || ' ' || told || CASE WHEN is_due THEN ' now' ELSE ' later' END END;
END
$function$;

CREATE OR REPLACE FUNCTION duework.hold_let_in(of_kind text, of_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.is_at_home()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.is_chore_due(taken_at timestamp with time zone, every_ms double precision)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  -- not now(): whoever has waited for a row compares with the moment at which it was taken
  SELECT every_ms = 0 OR floor(date_part('epoch', clock_timestamp()) * 1000 / nullif(every_ms, 0))
    IS DISTINCT FROM floor(date_part('epoch', taken_at) * 1000 / nullif(every_ms, 0))
$function$;

CREATE OR REPLACE FUNCTION duework.is_idle_key(k duework.flow_keys)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  SELECT NOT k.is_trying AND coalesce(k.next_at <= clock_timestamp(), true)
    AND coalesce(k.closed_until + coalesce(k.closed_ms, 0) * interval '2 milliseconds' <= clock_timestamp(), true)
    AND (strpos(coalesce(k.recent, ''), '1') = 0 OR coalesce(k.noted_at < clock_timestamp() - interval '1 day', true))
    AND NOT EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key)
    AND NOT EXISTS (
      SELECT FROM unnest(k.holders) AS h (id)
      WHERE EXISTS (SELECT FROM duework.job_runs AS j WHERE j.id = h.id OFFSET 0)
        OR EXISTS (SELECT FROM duework.job_history_dead AS d WHERE d.id = h.id AND d.acknowledged_at IS NULL OFFSET 0)
    )
$function$;

CREATE OR REPLACE FUNCTION duework.is_kept_by_others(of_id bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN EXISTS (
    SELECT FROM duework.job_steps AS s WHERE s.awaits = 'child' AND s.run_id < s.awaited::bigint AND s.awaited::bigint = of_id
  ) OR EXISTS (SELECT FROM duework.job_batch_jobs AS b WHERE b.run_id = of_id);
END
$function$;

CREATE OR REPLACE FUNCTION duework.is_lease_over()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.is_tried(gates text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT FROM duework.flow_keys AS k WHERE k.key = ANY(gates) AND k.is_trying)
$function$;

CREATE OR REPLACE FUNCTION duework.join_batch(batch jsonb, answer text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  told  jsonb := answer::jsonb;
  of_id text := batch ->> 'id';
  fresh bigint[];
BEGIN
  IF told ? 'left' THEN RETURN answer; END IF;
  SELECT coalesce(array_agg(i.id::bigint), '{}') INTO fresh
  FROM jsonb_array_elements_text(told -> 'ids') WITH ORDINALITY AS i (id, place)
  -- whose key was taken is another's
  WHERE told -> 'statuses' ->> (i.place - 1)::integer IS NULL;
  INSERT INTO duework.job_batch_jobs (batch_id, run_id) SELECT of_id, f.id FROM unnest(fresh) AS f (id);
  IF NOT batch ? 'callbacks' THEN
    INSERT INTO duework.job_batch_changes (batch_id, jobs) VALUES (of_id, cardinality(fresh));
    RETURN answer;
  END IF;
  INSERT INTO duework.job_batches (id, name, jobs, callbacks)
  VALUES (of_id, batch ->> 'name', cardinality(fresh), batch -> 'callbacks');
  -- nothing will end
  IF fresh = '{}' THEN PERFORM duework.add_up_batch(of_id); END IF;
  RETURN answer;
END
$function$;

CREATE OR REPLACE FUNCTION duework.join_turns(keys text[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  INSERT INTO duework.flow_turns (queue, key, turn)
  SELECT split_part(x.key, '/', 2), x.key, coalesce((
    SELECT t.turn FROM duework.flow_turns AS t WHERE t.queue = split_part(x.key, '/', 2) ORDER BY t.turn LIMIT 1
  ), 0)
  FROM (SELECT DISTINCT unnest(keys)) AS x (key)
  -- without OFFSET it would be joined, and all that wait would be read
  WHERE EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = x.key OFFSET 0)
  ORDER BY x.key
  ON CONFLICT DO NOTHING
$function$;

CREATE OR REPLACE FUNCTION duework.keep_answer(principal text, key text, fingerprint text, status integer, headers jsonb, body text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO duework.kept_answers AS a (principal, key, fingerprint, status, headers, body)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT kept_answers_pkey DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
    created_at = now()
$function$;

CREATE OR REPLACE FUNCTION duework.keep_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' AND coalesce(current_setting('duework.prunes_audit', true), '') = 'on' THEN
    IF TG_LEVEL = 'STATEMENT' THEN RETURN NULL; END IF;
    IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'The audit is only ever added to: % of % is refused.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = '0A000', HINT = 'duework.prune_audit removes what is old enough.';
END
$function$;

CREATE OR REPLACE FUNCTION duework.key_of_alert(name text, subject text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT CASE WHEN subject = '' THEN name ELSE name || '/' || subject END $function$;

CREATE OR REPLACE FUNCTION duework.leave_by_type(keep_days integer, dead_days integer, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.leave_days(keep_days integer, dead_days integer, after bigint, batch integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.leave_waits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  UPDATE duework.job_steps AS s SET at = NULL WHERE s.run_id = NEW.id AND s.status = 'waiting' AND s.at IS NOT NULL;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.let_in(look_at text[], turn_keys text[] DEFAULT NULL::text[], turn_counts integer[] DEFAULT NULL::integer[], notes jsonb DEFAULT NULL::jsonb, makes_keys boolean DEFAULT false)
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.let_in_and_take(gates text[], notes jsonb, worker text, queues text[], types text[], versions integer[], leases_ms double precision[], slots integer, OUT taken text, OUT is_all boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.let_in_simply(keys text[], worker text DEFAULT NULL::text, queues text[] DEFAULT NULL::text[], types text[] DEFAULT NULL::text[], versions integer[] DEFAULT NULL::integer[], leases_ms double precision[] DEFAULT NULL::double precision[], slots integer DEFAULT 0, OUT ran bigint[], OUT decided text[], OUT taken text, OUT is_all boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.line_priority(key text, priority smallint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT CASE WHEN key LIKE 'order/%' THEN 0::smallint ELSE priority END $function$;

CREATE OR REPLACE FUNCTION duework.line_ready_at(key text, run_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT CASE WHEN key LIKE 'order/%' THEN '-infinity'::timestamptz ELSE run_at END $function$;

CREATE OR REPLACE FUNCTION duework.line_up(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.line_up_anew(was duework.job_runs)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  -- of an order the place says nothing of the moment: it would be let in before it is due
  DELETE FROM duework.flow_waits w
  WHERE w.key = was.held_by AND w.priority = duework.line_priority(was.held_by, was.priority)
    AND w.ready_at = duework.line_ready_at(was.held_by, was.run_at) AND w.run_id = was.id;
  PERFORM duework.line_up(ARRAY[was.id]);
  INSERT INTO duework.flow_looks (at, key) SELECT now(), g.gate FROM unnest(was.gates) AS g (gate);
END
$function$;

CREATE OR REPLACE FUNCTION duework.look_at_gates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO duework.flow_looks (at, key) SELECT now(), g.gate FROM unnest(NEW.gates) AS g (gate);
  PERFORM duework.notify('duework_wake', NEW.queue);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.look_at_leases()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.look_for_alerts(limits jsonb, severities jsonb, given text[])
 RETURNS TABLE(name text, subject text, severity text, facts jsonb, status text, raised_at timestamp with time zone, resolved_at timestamp with time zone, message bigint, is_first boolean, ways text[])
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.make_batch_run(place text, job jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
DECLARE
  run   jsonb;
  other text := CASE WHEN jsonb_typeof(job) = 'object' THEN (
    SELECT k FROM jsonb_object_keys(job) AS k
    WHERE k <> ALL('{type,payload,idempotency_key,run_at,delay,priority,max_attempts,version,meta,queue}') LIMIT 1
  ) END;
BEGIN
  IF job IS NULL THEN RETURN NULL; END IF;
  IF jsonb_typeof(job) <> 'object' OR other IS NOT NULL THEN
    RAISE EXCEPTION '% is an object with the options of duework.enqueue%.', place, coalesce(', and has no ' || to_json(left(other, 100)), '')
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  run := duework.make_run(job ->> 'type', job -> 'payload', job ->> 'idempotency_key', (job ->> 'run_at')::timestamptz,
    (job ->> 'delay')::interval, (job ->> 'priority')::integer, (job ->> 'max_attempts')::integer, (job ->> 'version')::integer,
    nullif(job -> 'meta', 'null'), job ->> 'queue');
  IF run ? 'rule' THEN
    RAISE EXCEPTION '% is of a type whose contract has no rule of uniqueness, not of %.', place, run ->> 'type'
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  RETURN run;
END
$function$;

CREATE OR REPLACE FUNCTION duework.make_late(ids bigint[], ended_before timestamp with time zone, attempt_ids bigint[], failed_before timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.make_partitions(days_ahead integer, days_back integer DEFAULT 0)
 RETURNS integer
 LANGUAGE plpgsql
 SET lock_timeout TO '5s'
AS $function$
DECLARE
  parent record;
  day    date;
  name   text;
  made   integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('duework.partitions', 0));
  FOR parent IN
    SELECT *
    FROM (VALUES ('job_history_days', 'job_history_succeeded', 'id'), ('job_attempts_days', 'job_attempts', 'run_id'))
      AS p (days, name, id)
  LOOP
    FOR i IN -days_back..days_ahead LOOP
      day := duework.day_of_id(duework.first_id_today(i));
      name := parent.name || '_' || to_char(day, 'YYYYMMDD');
      CONTINUE WHEN to_regclass('duework.' || name) IS NOT NULL;
      -- Nobody may add a row to the default partition between the move and the attachment.
      EXECUTE format('LOCK TABLE duework.%I IN ACCESS EXCLUSIVE MODE', parent.days || '_default');
      -- Rows are added for two days, hardly any is changed, and all of them go at once. Each page is frozen while it
      -- is still in the cache, so that no vacuum against wraparound has to read the history; statistics, which no
      -- statement here depends on, are taken when a partition has doubled, because ANALYZE holds a snapshot.
      EXECUTE format(
        'CREATE TABLE duework.%I (LIKE duework.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (
           autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
           autovacuum_freeze_min_age = 0,
           autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 10000)',
        name, parent.days);
      EXECUTE format(
        'WITH moved AS (DELETE FROM duework.%1$I WHERE %2$I >= %3$s AND %2$I < %4$s RETURNING *)
         INSERT INTO duework.%5$I SELECT * FROM moved',
        parent.days || '_default', parent.id, duework.first_id_of(day), duework.first_id_of(day + 1), name);
      EXECUTE format('ALTER TABLE duework.%I ATTACH PARTITION duework.%I FOR VALUES FROM (%s) TO (%s)',
        parent.days, name, duework.first_id_of(day), duework.first_id_of(day + 1));
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$function$;

CREATE OR REPLACE FUNCTION duework.make_run(type text, payload jsonb, idempotency_key text, run_at timestamp with time zone, delay interval, priority integer, max_attempts integer, version integer, meta jsonb, queue text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  job  duework.job_definitions;
  flow jsonb;
BEGIN
  SELECT d.* INTO job FROM duework.job_definitions d WHERE d.type = make_run.type;
  IF job.type IS NULL THEN
    RAISE EXCEPTION 'There is no job type %. Known: %.', coalesce(to_json(left(make_run.type, 100))::text, 'null'),
      (SELECT coalesce(left(string_agg(d.type, ', ' ORDER BY d.type), 1000), 'none') FROM duework.job_definitions d)
      USING ERRCODE = '22W01', DETAIL = 'unknown_job_type', HINT = 'A worker makes its types known when it starts.';
  END IF;
  IF make_run.version NOT BETWEEN coalesce(job.oldest_version, job.version) AND job.version THEN
    RAISE EXCEPTION 'The payload was written for version % of %; % to % are known.',
      make_run.version, job.type, coalesce(job.oldest_version, job.version), job.version
      USING ERRCODE = '22W07', DETAIL = 'unknown_job_version',
        HINT = 'A worker makes its versions known when it starts.';
  END IF;
  IF make_run.payload IS NULL AND (job.default_payload IS NULL OR make_run.version < job.version) THEN
    RAISE EXCEPTION 'A % needs a payload: its contract has no default one.', job.type
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload', HINT = 'Give payload => jsonb_build_object(…).';
  END IF;
  IF job.has_key AND make_run.idempotency_key IS NULL THEN
    RAISE EXCEPTION 'A % has an idempotency key, which its contract makes in its own code: it has to be given here.',
      job.type
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key',
        HINT = 'Give idempotency_key => …, as the contract makes it.';
  END IF;
  IF length(make_run.idempotency_key) = 0 THEN
    RAISE EXCEPTION 'The idempotency key of a % is empty.', job.type
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  make_run.idempotency_key := duework.shorten_key(make_run.idempotency_key);
  IF make_run.queue <> ALL(coalesce(job.queues, ARRAY[job.queue])) THEN
    RAISE EXCEPTION 'A % cannot be enqueued into %: its contract allows %.', job.type,
      to_json(left(make_run.queue, 100))::text, array_to_string(coalesce(job.queues, ARRAY[job.queue]), ', ')
      USING ERRCODE = '22W11', DETAIL = 'queue_not_allowed';
  END IF;
  job.queue := coalesce(make_run.queue, job.queue);
  IF make_run.priority NOT BETWEEN 0 AND 9 THEN
    RAISE EXCEPTION 'priority is a whole number from 0 (first) to 9 (last), not %.', make_run.priority
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.max_attempts NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'max_attempts is a whole number from 1 to 1000, not %.', make_run.max_attempts
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.run_at IS NOT NULL AND make_run.delay IS NOT NULL THEN
    RAISE EXCEPTION 'delay is given without run_at.' USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.delay NOT BETWEEN interval '0' AND interval '1000 years' THEN
    RAISE EXCEPTION 'delay is from 0 to 1000 years, not %.', make_run.delay
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  IF make_run.run_at < '1970-01-01Z' OR make_run.run_at >= '10000-01-01Z' THEN
    RAISE EXCEPTION 'run_at is between the years 1970 and 9999, not %.', make_run.run_at
      USING ERRCODE = '22W06', DETAIL = 'invalid_option';
  END IF;
  PERFORM duework.check_meta(make_run.meta);
  PERFORM duework.check_payload(
    job.type, make_run.payload,
    CASE WHEN coalesce(make_run.version, job.version) = job.version THEN job.payload_schema END
  );
  IF job.has_gate_code THEN
    RAISE EXCEPTION 'A % stands in line by a value that its contract makes in its own code.', job.type
      USING ERRCODE = '22W10', DETAIL = 'flow_needs_code',
        HINT = 'Enqueue it in TypeScript, or give its contract the path of a value instead of a function.';
  END IF;

  payload := coalesce(payload, job.default_payload);
  flow := nullif(
    coalesce(duework.gates_of(job.type, job.flow, payload, job.queue), '{}')
      || jsonb_strip_nulls(jsonb_build_object('terms', CASE WHEN strpos(payload::text, '"$object": "') > 0
        THEN coalesce(job.terms, '{}') || '{"hasObjects": true}' ELSE job.terms END)),
    '{}'
  );
  -- as write_callback reads it
  RETURN jsonb_strip_nulls(jsonb_build_object(
    'type', job.type, 'version', coalesce(version, job.version), 'queue', job.queue,
    'priority', coalesce(priority, job.priority), 'maxAttempts', coalesce(max_attempts, job.max_attempts),
    'runAt', run_at, 'delayMs', coalesce(date_part('epoch', delay) * 1000, 0), 'key', idempotency_key,
    'keyWindowMs', job.key_window_ms, 'meta', nullif(meta, '{}'), 'flow', flow, 'rule', job.unique_rule
  )) || jsonb_build_object('payload', payload);
END
$function$;

CREATE OR REPLACE FUNCTION duework.most_behind_turn(gates text[])
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  SELECT min(least(greatest(1, coalesce(u.max_units, ceil(200 / u.unit_ms))), 1e6))::integer
  FROM unnest(gates) AS g (key)
  CROSS JOIN LATERAL (
    SELECT u.max_units, u.burst, u.unit_ms FROM duework.flow_rules AS u WHERE u.name = duework.rule_of_key(g.key) LIMIT 1
  ) AS u
  WHERE g.key ~ '^(limit|rate)/'
$function$;

CREATE OR REPLACE FUNCTION duework.move_terms(terms jsonb, later interval)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  SELECT jsonb_object_agg(t.name, CASE WHEN t.name IN ('expiresAt', 'retryUntil')
    THEN to_jsonb(to_char(
      ((t.value #>> '{}')::timestamptz + later) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
    ))
    ELSE t.value END)
  FROM jsonb_each(terms) AS t (name, value)
$function$;

CREATE OR REPLACE FUNCTION duework.name_error(code text, type text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT coalesce(nullif(code, 'unexpected_error'), type, code) $function$;

CREATE OR REPLACE FUNCTION duework.next_run_id()
 RETURNS bigint
 LANGUAGE sql
AS $function$ SELECT duework.first_id_today(0) + nextval('duework.job_runs_id_seq') $function$;

CREATE OR REPLACE FUNCTION duework.note_batch_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO duework.job_batch_changes (batch_id, succeeded, dead, cancelled)
  VALUES (NEW.terms ->> 'batch', (NEW.status = 'succeeded')::integer, (NEW.status = 'dead')::integer,
    (NEW.status = 'cancelled')::integer);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.note_batch_return()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM duework.job_runs AS r WHERE r.id = OLD.id) THEN
    INSERT INTO duework.job_batch_changes (batch_id, succeeded, dead, cancelled)
    VALUES (OLD.terms ->> 'batch', -(OLD.status = 'succeeded')::integer, -(OLD.status = 'dead')::integer,
      -(OLD.status = 'cancelled')::integer);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.note_terms(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  INSERT INTO duework.expiries (at, run_id)
  SELECT (r.terms ->> 'expiresAt')::timestamptz, r.id
  FROM duework.job_runs r WHERE r.id = ANY(ids) AND r.terms ? 'expiresAt';
  INSERT INTO duework.job_objects (object_key, run_id, job_type)
  SELECT o.key, r.id, r.job_type
  FROM duework.job_runs r CROSS JOIN LATERAL duework.objects_in(r.payload) AS o (key)
  WHERE r.id = ANY(ids) AND r.terms ? 'hasObjects'
  ON CONFLICT DO NOTHING;
END
$function$;

CREATE OR REPLACE FUNCTION duework.notify(channel text, hint text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  sent text;
BEGIN
  IF current_setting('duework.notify', true) = 'off' OR pg_notification_queue_usage() > 0.5 THEN RETURN; END IF;
  -- an assignment, because PERFORM would plan and run a statement of its own
  sent := pg_notify(channel, hint)::text;
END
$function$;

CREATE OR REPLACE FUNCTION duework.objects_in(payload jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT DISTINCT o #>> '{}' FROM jsonb_path_query(payload, 'strict $.**."$object" ? (@.type() == "string")', silent => true) AS o
$function$;

CREATE OR REPLACE FUNCTION duework.oldest_kept(days integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$ SELECT ((now() AT TIME ZONE 'UTC')::date - days)::timestamp AT TIME ZONE 'UTC' $function$;

CREATE OR REPLACE FUNCTION duework.open_batch(of_id text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  settled_at timestamptz;
BEGIN
  SELECT b.settled_at INTO settled_at FROM duework.job_batches AS b WHERE b.id = of_id FOR KEY SHARE;
  RETURN CASE WHEN NOT FOUND THEN 'unknown' WHEN settled_at IS NULL THEN 'open' ELSE 'settled' END;
END
$function$;

CREATE OR REPLACE FUNCTION duework.outer_id(of_id bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT coalesce((SELECT s.name || '.' FROM duework.shard AS s), '') || of_id
$function$;

CREATE OR REPLACE FUNCTION duework.own_retention(keep_days integer, dead_days integer, OUT job_type text, OUT ended integer, OUT dead integer)
 RETURNS SETOF record
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.payloads_differ(a jsonb, b jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN a ? '$offloaded' AND b ? '$offloaded'
    THEN a #> '{$offloaded,sha256}' <> b #> '{$offloaded,sha256}' AND NOT a -> '$offloaded' ? 'keyIds' AND NOT b -> '$offloaded' ? 'keyIds'
    ELSE a <> b AND (strpos(a::text, '{"$sealed": ') > 0) = (strpos(b::text, '{"$sealed": ') > 0)
    AND regexp_replace(a::text, '[{]"[$]sealed": "[^"]*"[}]', 'null', 'g')
      <> regexp_replace(b::text, '[{]"[$]sealed": "[^"]*"[}]', 'null', 'g')
    END
$function$;

CREATE OR REPLACE FUNCTION duework.place(OUT cluster text, OUT database bigint, OUT timeline integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.plan_looks(keys text[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune(keep_days integer, attempt_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET lock_timeout TO '2s'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune_answers(batch integer)
 RETURNS integer
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  WITH gone AS (
    DELETE FROM duework.kept_answers
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.kept_answers WHERE created_at <= now() - interval '1 day' ORDER BY created_at LIMIT batch
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$function$;

CREATE OR REPLACE FUNCTION duework.prune_audit(keep_days integer, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
DECLARE
  gone integer;
BEGIN
  -- a clause of the function would need a role that may set any parameter
  PERFORM set_config('duework.prunes_audit', 'on', true);
  DELETE FROM duework.audit_entries
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.audit_entries
    WHERE at < now() - greatest(30, keep_days) * interval '1 day'
    ORDER BY at
    LIMIT batch
    FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('duework.prunes_audit', '', true);
  RETURN gone;
END
$function$;

CREATE OR REPLACE FUNCTION duework.prune_bulk_actions(keep_days integer, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
DECLARE
  oldest CONSTANT timestamptz := now() - greatest(30, keep_days) * interval '1 day';
  gone integer;
BEGIN
  -- a clause of the function would need a role that may set any parameter
  PERFORM set_config('duework.prunes_audit', 'on', true);
  DELETE FROM duework.bulk_action_runs
  WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM duework.bulk_action_runs WHERE at < oldest ORDER BY at LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM duework.bulk_actions WHERE finished_at < oldest;
  PERFORM set_config('duework.prunes_audit', '', true);
  RETURN gone;
END
$function$;

CREATE OR REPLACE FUNCTION duework.prune_default(keep_days integer, dead_days integer, batch integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune_expired_keys(batch integer)
 RETURNS integer
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  WITH gone AS (
    DELETE FROM duework.job_keys
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.job_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$function$;

CREATE OR REPLACE FUNCTION duework.prune_flow_keys(after text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune_flow_looks(after text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune_flow_waits(after text, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune_ledger(keep_days integer, batch integer)
 RETURNS integer
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
  WITH gone AS (
    DELETE FROM duework.schedule_ledger
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM duework.schedule_ledger
      WHERE due_at < now() - keep_days * interval '1 day'
        -- an old due time that was only just decided, after an outage, is news
        AND decided_at < now() - keep_days * interval '1 day'
        AND outcome <> 'waiting'
      ORDER BY due_at
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  )
  SELECT count(*)::integer FROM gone
$function$;

CREATE OR REPLACE FUNCTION duework.prune_rows(of_table regclass, keep_days integer, dead_days integer, batch integer, after_type text DEFAULT ''::text, after_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone, after_id bigint DEFAULT 0, OUT looked integer, OUT up_to_type text, OUT up_to_at timestamp with time zone, OUT up_to_id bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.prune_with_runs(of_table regclass, keep_days integer, dead_days integer, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.publish(event text, payload jsonb, idempotency_key text DEFAULT NULL::text, version integer DEFAULT NULL::integer, meta jsonb DEFAULT NULL::jsonb, OUT id bigint, OUT is_deduplicated boolean, OUT jobs jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
#variable_conflict use_column
DECLARE
  known  record;
  answer jsonb;
BEGIN
  SELECT max(d.version) AS newest, min(coalesce(d.oldest_version, d.version)) AS oldest, max(d.event_keep_ms) AS keep_ms,
    coalesce(bool_or(d.requires_encryption), false) AS is_sealed,
    (array_agg(d.payload_schema ORDER BY d.version DESC))[1] AS schema
  INTO known FROM duework.job_definitions d WHERE d.event = publish.event;
  IF known.newest IS NULL THEN
    RAISE EXCEPTION 'There is no event %. Known: %.', coalesce(to_json(left(publish.event, 100))::text, 'null'),
      (SELECT coalesce(left(string_agg(DISTINCT d.event, ', ' ORDER BY d.event), 1000), 'none') FROM duework.job_definitions d)
      USING ERRCODE = '22W14', DETAIL = 'unknown_event', HINT = 'A worker makes its events known when it starts.';
  END IF;
  IF publish.version NOT BETWEEN known.oldest AND known.newest THEN
    RAISE EXCEPTION 'The payload was written for version % of %; % to % are known.',
      publish.version, publish.event, known.oldest, known.newest
      USING ERRCODE = '22W07', DETAIL = 'unknown_job_version', HINT = 'A worker makes its versions known when it starts.';
  END IF;
  IF publish.payload IS NULL THEN
    RAISE EXCEPTION 'A % needs a payload.', publish.event
      USING ERRCODE = '22W02', DETAIL = 'invalid_payload', HINT = 'Give payload => jsonb_build_object(…).';
  END IF;
  IF length(publish.idempotency_key) = 0 THEN
    RAISE EXCEPTION 'The idempotency key of a % is empty.', publish.event
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  IF known.is_sealed THEN
    RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', publish.event
      USING ERRCODE = '22W08', DETAIL = 'key_ring_missing',
        HINT = 'Publish it in TypeScript, in a process that has a key ring.';
  END IF;
  IF EXISTS (SELECT FROM duework.objects_in(publish.payload)) THEN
    RAISE EXCEPTION 'The payload of a % names an object, and nothing would keep that for its jobs.', publish.event
      USING ERRCODE = '22W02', DETAIL = 'object_not_kept', HINT = 'Enqueue a job with it, or keep a file elsewhere.';
  END IF;
  PERFORM duework.check_meta(publish.meta);
  PERFORM duework.check_payload(
    publish.event, publish.payload, CASE WHEN coalesce(publish.version, known.newest) = known.newest THEN known.schema END
  );
  answer := duework.publish_1(
    publish.event, coalesce(publish.version, known.newest), publish.payload,
    duework.shorten_key(publish.idempotency_key), known.keep_ms, nullif(publish.meta, '{}')
  );
  id := answer ->> 'id';
  is_deduplicated := answer ->> 'isDeduplicated';
  jobs := answer -> 'jobs';
END
$function$;

CREATE OR REPLACE FUNCTION duework.publish_1(event text, version integer, payload jsonb, key text, keep_ms double precision, meta jsonb)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  new_id   bigint;
  earlier  record;
  each     record;
  made     jsonb := '{}';
  kept     jsonb := CASE WHEN keep_ms IS NOT NULL THEN payload END;
  end_at   timestamptz := now()
    + greatest(keep_ms, CASE WHEN key IS NOT NULL THEN 604800000 END) * interval '1 millisecond';
BEGIN
  IF publish_1.key IS NOT NULL THEN
    SELECT p.id, p.jobs INTO earlier FROM duework.published_events p
    WHERE p.event = publish_1.event AND p.key = publish_1.key AND p.expires_at > now();
    IF NOT FOUND THEN
      new_id := nextval('duework.published_events_id_seq');
      -- updates even when nothing changes, because DO NOTHING would not wait for the transaction that holds the key
      INSERT INTO duework.published_events AS p (id, event, version, key, payload, meta, expires_at)
      VALUES (new_id, publish_1.event, publish_1.version, publish_1.key, kept, publish_1.meta, end_at)
      ON CONFLICT (event, key) WHERE key IS NOT NULL DO UPDATE SET
        id = CASE WHEN p.expires_at <= now() THEN excluded.id ELSE p.id END,
        version = CASE WHEN p.expires_at <= now() THEN excluded.version ELSE p.version END,
        payload = CASE WHEN p.expires_at <= now() THEN excluded.payload ELSE p.payload END,
        meta = CASE WHEN p.expires_at <= now() THEN excluded.meta ELSE p.meta END,
        jobs = CASE WHEN p.expires_at <= now() THEN excluded.jobs ELSE p.jobs END,
        published_at = CASE WHEN p.expires_at <= now() THEN excluded.published_at ELSE p.published_at END,
        expires_at = CASE WHEN p.expires_at <= now() THEN excluded.expires_at ELSE p.expires_at END
      RETURNING p.id, p.jobs INTO earlier;
    END IF;
    IF earlier.id IS DISTINCT FROM new_id THEN
      RETURN json_build_object('id', earlier.id::text, 'isDeduplicated', true, 'jobs', earlier.jobs);
    END IF;
  END IF;
  FOR each IN
    SELECT d.type, d.queue, d.subscription ->> 'delayMs' = '0' AS is_due,
      duework.run_of_event(d, publish_1.version, publish_1.payload, publish_1.meta, NULL) AS run
    FROM duework.job_definitions d
    WHERE d.event = publish_1.event AND d.subscription IS NOT NULL
    ORDER BY d.type
  LOOP
    made := made || jsonb_build_object(each.type,
      duework.write_unique(each.run, duework.hint_of(each.queue, each.is_due)) ->> 'id');
  END LOOP;
  IF new_id IS NOT NULL THEN
    UPDATE duework.published_events p SET jobs = made WHERE p.id = new_id;
  ELSIF keep_ms IS NOT NULL THEN
    INSERT INTO duework.published_events (event, version, payload, meta, jobs, expires_at)
    VALUES (publish_1.event, publish_1.version, kept, publish_1.meta, made, end_at)
    RETURNING id INTO new_id;
  END IF;
  RETURN json_build_object('id', new_id::text, 'isDeduplicated', false, 'jobs', made);
END
$function$;

CREATE OR REPLACE FUNCTION duework.put_object(object_key text, part integer, content bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO duework.stored_objects (object_key, part, content) VALUES (put_object.object_key, put_object.part, put_object.content)
$function$;

CREATE OR REPLACE FUNCTION duework.raise_in_lines(runs bigint[], ats timestamp with time zone[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.raise_sequences()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.raise_waiting(most integer)
 RETURNS integer
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.read_ended(after text, types text[], most integer)
 RETURNS TABLE(job duework.finished_jobs, next_cursor text, is_caught_up boolean)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.read_jobs(run_ids bigint[])
 RETURNS SETOF duework.jobs
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM duework.live_jobs WHERE id = ANY(run_ids);
  -- a statement of its own, with the ids as constants: the partitions of other days are not opened
  RETURN QUERY EXECUTE 'SELECT * FROM duework.finished_jobs WHERE id = ANY($1)' USING run_ids;
END
$function$;

CREATE OR REPLACE FUNCTION duework.read_payloads(after_id bigint, last_id bigint, batch integer, bytes bigint)
 RETURNS TABLE(id bigint, job_type text, job_version integer, payload jsonb)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
  SELECT b.id, b.job_type, b.job_version, b.payload
  FROM (
    SELECT r.*,
      sum(pg_column_size(r.payload)) OVER (ORDER BY r.id ROWS UNBOUNDED PRECEDING) - pg_column_size(r.payload)
        AS bytes_before
    FROM (
      SELECT j.id, j.job_type, j.job_version, j.payload
      FROM duework.job_runs AS j
      WHERE j.id > after_id AND j.id <= last_id
      ORDER BY j.id
      LIMIT batch
    ) r
  ) b
  WHERE b.bytes_before < bytes
$function$;

CREATE OR REPLACE FUNCTION duework.read_size(OUT bytes bigint, OUT tables jsonb, OUT days integer, OUT growth bigint, OUT keep_days integer, OUT dead_days integer, OUT needed bigint, OUT disk bigint, OUT used bigint, OUT days_left double precision)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET lock_timeout TO '1s'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.ready_restored(by text, via text, reason text, OUT schedules bigint, OUT actions bigint)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.refuse_alone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NEW.created_at = statement_timestamp() THEN
    IF TG_TABLE_NAME = 'job_runs' THEN
      PERFORM duework.check_at_commit();
    ELSE
      RAISE EXCEPTION 'This statement was sent after its transaction had ended, and would have committed on its own.'
        USING ERRCODE = 'no_active_sql_transaction';
    END IF;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.replay_events(of_event text, to_type text, from_at timestamp with time zone, until_at timestamp with time zone, portion integer, OUT replayed integer, OUT next_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  d    duework.job_definitions;
  each record;
  job  text;
BEGIN
  replayed := 0;
  SELECT x.* INTO d FROM duework.job_definitions x
  WHERE x.type = to_type AND x.event = of_event AND x.subscription IS NOT NULL;
  IF NOT FOUND THEN RETURN; END IF;
  FOR each IN
    SELECT p.* FROM duework.published_events p
    WHERE p.event = of_event AND p.published_at >= from_at AND p.published_at < until_at
      AND p.payload IS NOT NULL AND NOT p.jobs ? to_type
    ORDER BY p.published_at, p.id LIMIT portion
    FOR UPDATE
  LOOP
    -- not before what waits now
    job := duework.write_unique(duework.run_of_event(d, each.version, each.payload, each.meta, greatest(
      now(), each.published_at + (d.subscription ->> 'delayMs')::float8 * interval '1 millisecond'
    )), NULL) ->> 'id';
    UPDATE duework.published_events p SET jobs = p.jobs || jsonb_build_object(to_type, job) WHERE p.id = each.id;
    replayed := replayed + 1;
    next_at := each.published_at;
  END LOOP;
  IF replayed > 0 THEN PERFORM duework.notify('duework_wake', d.queue); END IF;
  IF replayed < portion THEN next_at := NULL; END IF;
END
$function$;

CREATE OR REPLACE FUNCTION duework.require_live(run_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
BEGIN
  IF current_setting('transaction_isolation') IN ('read committed', 'read uncommitted') THEN RETURN; END IF;
  PERFORM FROM duework.job_runs r WHERE r.id = require_live.run_id FOR KEY SHARE;
  RAISE SQLSTATE '22W00';
EXCEPTION WHEN SQLSTATE '22W00' THEN
  RETURN;
END
$function$;

CREATE OR REPLACE FUNCTION duework.require_transaction(in_transaction text, was_written boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF in_transaction = '' THEN
    IF was_written OR pg_current_xact_id_if_assigned() IS NULL THEN PERFORM duework.check_at_commit(); END IF;
  ELSIF in_transaction <> pg_current_xact_id()::text THEN
    RAISE EXCEPTION 'This statement left the transaction %, and would have committed in %.',
      in_transaction, pg_current_xact_id() USING ERRCODE = 'no_active_sql_transaction';
  END IF;
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION duework.rest_after_look(took_ms double precision, took_before_ms double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT least(60000, 100 * greatest(0, least(took_ms, took_before_ms) - 50)) $function$;

CREATE OR REPLACE FUNCTION duework.rule_of_key(key text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT split_part(key, '/', 1) || '/' || split_part(key, '/', 2) $function$;

CREATE OR REPLACE FUNCTION duework.run_of_event(d duework.job_definitions, version integer, payload jsonb, meta jsonb, at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'type', (d).type, 'version', run_of_event.version, 'queue', (d).queue, 'priority', (d).priority,
    'maxAttempts', (d).max_attempts, 'at', at, 'delayMs', CASE WHEN at IS NULL THEN (d).subscription -> 'delayMs' ELSE '0' END,
    'key', CASE WHEN (d).unique_rule IS NOT NULL THEN duework.unique_key(
      (d).type, run_of_event.payload, ARRAY(SELECT jsonb_array_elements_text((d).subscription -> 'by'))
    ) END,
    'windowMs', (d).key_window_ms, 'meta', meta, 'rule', (d).unique_rule,
    'flow', nullif(
      coalesce(duework.gates_of((d).type, (d).flow, run_of_event.payload, (d).queue), '{}')
        || jsonb_strip_nulls(jsonb_build_object('terms', (d).terms)),
      '{}'
    )
  )) || jsonb_build_object('payload', run_of_event.payload)
$function$;

CREATE OR REPLACE FUNCTION duework.set_flow_rule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.share_budget(budget integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.share_rights()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  given text;
BEGIN
  FOR given IN
    SELECT format('GRANT %s%s ON duework.%I TO %s', held.privilege, coalesce(' (' || quote_ident(held.col) || ')', ''),
      part.relname,
      CASE held.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(held.grantee)) END)
    FROM pg_inherits i
    JOIN pg_class part ON part.oid = i.inhrelid
    JOIN pg_class parent ON parent.oid = i.inhparent
    CROSS JOIN LATERAL (
      SELECT a.privilege_type AS privilege, NULL::name AS col, a.grantee FROM aclexplode(parent.relacl) a
      UNION ALL
      SELECT a.privilege_type, t.attname, a.grantee
      FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) a
      WHERE t.attrelid = parent.oid AND NOT t.attisdropped
    ) held
    WHERE i.inhparent IN ('duework.job_history_days'::regclass, 'duework.job_attempts_days'::regclass)
      AND held.grantee <> parent.relowner
      AND part.relname ~ '_[0-9]{8}$'
      AND part.relacl IS NULL
  LOOP
    EXECUTE given;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION duework.shorten_key(key text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN length(key) > 255
    THEN left(key, 190) || '#' || encode(sha256(convert_to(key, 'UTF8')), 'hex') ELSE key END
$function$;

CREATE OR REPLACE FUNCTION duework.signal(name text, key text, payload jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  sent text := signal.name || ' ' || signal.key;
  waiting record;
BEGIN
  -- its snapshot is older than this lock, so that it would not see who has begun to wait since
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'A signal is sent at READ COMMITTED: at % it would not see who has begun to wait meanwhile.',
      upper(current_setting('transaction_isolation'))
      USING ERRCODE = '22W13', DETAIL = 'isolation_too_high',
        HINT = 'Send it in a transaction of its own, or begin this one with ISOLATION LEVEL READ COMMITTED.';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('duework.signal ' || sent, 0));
  FOR waiting IN
    SELECT s.run_id, s.name FROM duework.job_steps AS s
    WHERE s.status = 'waiting' AND s.awaits = 'signal' AND s.awaited = sent
    ORDER BY s.done_at, s.run_id, s.name
  LOOP
    -- a run that has ended waits for nothing; and another signal may have come first
    IF duework.wake_run(waiting.run_id) AND duework.arrive(waiting.run_id, waiting.name, signal.payload) THEN
      RETURN true;
    END IF;
  END LOOP;
  INSERT INTO duework.job_signals (awaited, payload) VALUES (sent, signal.payload);
  RETURN false;
END
$function$;

CREATE OR REPLACE FUNCTION duework.table_sizes()
 RETURNS TABLE(name text, day date, bytes bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT regexp_replace(c.relname, '_[0-9]{8}$', ''), to_date(substring(c.relname FROM '_([0-9]{8})$'), 'YYYYMMDD'),
    -- null: it was dropped meanwhile
    coalesce(pg_total_relation_size(c.oid), 0)
  FROM pg_class AS c
  WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind = 'r'
$function$;

CREATE OR REPLACE FUNCTION duework.take_answer(principal text, key text, fingerprint text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  kept duework.kept_answers;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('duework.kept_answers'),
    hashtext(take_answer.principal || E'\n' || take_answer.key)) THEN
    RETURN json_build_object('state', 'in_flight');
  END IF;
  SELECT a.* INTO kept FROM duework.kept_answers a
  WHERE a.principal = take_answer.principal AND a.key = take_answer.key AND a.created_at > now() - interval '1 day';
  IF kept.key IS NULL THEN RETURN json_build_object('state', 'free'); END IF;
  IF kept.fingerprint <> take_answer.fingerprint THEN RETURN json_build_object('state', 'other_request'); END IF;
  RETURN json_build_object('state', 'kept', 'status', kept.status, 'headers', kept.headers, 'body', kept.body);
END
$function$;

CREATE OR REPLACE FUNCTION duework.take_chores(asked jsonb, OUT taken text[], OUT is_over boolean, OUT missing text[], OUT now_ms double precision, OUT identity text, OUT slots jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.take_gates(definitions jsonb, taker text, worker text, most integer, bytes bigint, OUT types text[], OUT busy text[], OUT upto bigint, OUT looked integer, OUT runs text, OUT overruled text[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  mine  text[] := ARRAY(
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.gates_after IS NOT NULL AND d.type IN (SELECT duework.types_by_rules(definitions))
  );
  after bigint;
BEGIN
  busy := '{}';
  overruled := ARRAY(
    SELECT d.type
    FROM duework.worker_contracts AS m
    CROSS JOIN jsonb_to_recordset(definitions) AS x (type text, version integer)
    JOIN duework.job_definitions AS d ON d.type = x.type AND d.version <= x.version
    WHERE m.worker = take_gates.worker AND d.type NOT IN (SELECT duework.types_by_rules(definitions))
      AND NOT EXISTS (
        SELECT FROM duework.worker_contracts AS w
        WHERE w.started_at > m.started_at AND w.contracts ? d.type AND w.seen_at > now() - interval '3 minutes'
          AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
      )
  );
  IF mine = '{}' OR overruled <> '{}' THEN RETURN; END IF;
  WITH free AS MATERIALIZED (
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.type = ANY(mine) AND d.gates_after IS NOT NULL
      AND (d.gates_by IS NULL OR d.gates_by = taker OR d.gates_at < clock_timestamp() - interval '5 seconds')
    ORDER BY d.type FOR UPDATE SKIP LOCKED
  ),
  taken AS (
    UPDATE duework.job_definitions AS d SET gates_by = taker, gates_at = clock_timestamp()
    WHERE d.type = ANY(ARRAY(SELECT f.type FROM free AS f))
    RETURNING d.type, d.gates_after
  )
  SELECT array_agg(t.type), min(t.gates_after) INTO types, after FROM taken AS t;
  busy := ARRAY(SELECT unnest(mine) EXCEPT SELECT unnest(types));
  IF types IS NULL THEN RETURN; END IF;
  SELECT max(b.id), count(*), coalesce(json_agg(json_build_array(
      b.id::text, b.job_type, b.job_version, r.queue, r.gates, r.gate_units, b.payload
    ) ORDER BY b.id) FILTER (WHERE r.queue IS NOT NULL), '[]')
  INTO upto, looked, runs
  FROM duework.read_payloads(after, 9223372036854775807, most, bytes) AS b
  LEFT JOIN LATERAL (
    SELECT j.queue, j.gates, j.gate_units FROM duework.job_runs AS j
    WHERE j.id = b.id AND j.job_type = ANY(types) AND j.status IN ('queued', 'failed')
    LIMIT 1
  ) AS r ON true;
END
$function$;

CREATE OR REPLACE FUNCTION duework.take_looks(most integer)
 RETURNS double precision
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.take_notes(notes jsonb)
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.take_turns(of_queue text, room integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.take_up_waits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM duework.job_runs AS r WHERE r.id = OLD.id) THEN
    UPDATE duework.job_steps AS s SET at = regexp_replace(s.name, ' [0-9]+$', '') WHERE s.run_id = OLD.id AND s.status = 'waiting';
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.tell_dead()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  told bigint;
BEGIN
  SELECT e.id INTO told
  FROM duework.enqueue(
    NEW.terms ->> 'onDead',
    jsonb_build_object('jobId', duework.outer_id(NEW.id), 'type', NEW.job_type, 'errorCode', NEW.error_code, 'error', NEW.last_error,
      'attempts', NEW.attempts, 'meta', NEW.meta)
    -- sensitive values stay where they are, also encrypted ones; and the limit of a payload, 64 KiB, is for all of this
    || CASE WHEN octet_length(NEW.payload::text) <= 49152 AND NOT NEW.payload ? '$offloaded'
        AND EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = NEW.job_type AND d.sensitive = '{}')
      THEN jsonb_build_object('payload', NEW.payload) ELSE '{}' END,
    idempotency_key => 'dead:' || NEW.id || ':' || NEW.fence
  ) e;
  UPDATE duework.job_runs r SET terms = nullif(r.terms - 'onDead', '{}') WHERE r.id = told AND r.terms ? 'onDead';
  RETURN NULL;
EXCEPTION WHEN data_exception THEN
  RAISE WARNING 'The death of run % could not be told to %: %', NEW.id, NEW.terms ->> 'onDead', SQLERRM;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.tell_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  waiting record;
BEGIN
  FOR waiting IN
    SELECT s.run_id, s.name FROM duework.job_steps AS s
    WHERE s.status = 'waiting' AND s.awaits IN ('job', 'child') AND s.awaited = NEW.id::text
    ORDER BY s.run_id, s.name
  LOOP
    PERFORM duework.wake_run(waiting.run_id);
    PERFORM duework.arrive(waiting.run_id, waiting.name, duework.ending_of(NEW));
  END LOOP;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION duework.tell_expired(run_id bigint, type text, payload jsonb, told text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM duework.enqueue(
    told,
    jsonb_build_object('jobId', duework.outer_id(run_id), 'type', type)
    -- as in tell_dead: sensitive values, and payloads in objects, stay where they are
    || CASE WHEN NOT payload ? '$offloaded' AND EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = tell_expired.type AND d.sensitive = '{}')
      THEN jsonb_build_object('payload', payload) ELSE '{}' END,
    idempotency_key => 'expired:' || run_id
  );
EXCEPTION WHEN data_exception THEN
  RAISE WARNING 'The end of run % could not be told to %: %', run_id, told, SQLERRM;
END
$function$;

CREATE OR REPLACE FUNCTION duework.terms_of(terms jsonb, due_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
    'expiresAt', to_char(
      (due_at + (terms ->> 'expiresAfterMs')::float8 * interval '1 millisecond') AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
    ),
    'onExpired', terms -> 'onExpired',
    'onDead', terms -> 'onDead',
    'batch', terms -> 'batch',
    'maxWaitMs', terms -> 'maxWaitMs',
    'hasObjects', terms -> 'hasObjects',
    'retryUntil', to_char(
      (due_at + (terms ->> 'retryForMs')::float8 * interval '1 millisecond') AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
    )
  )), '{}')
$function$;

CREATE OR REPLACE FUNCTION duework.types_by_rules(definitions jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT d.type
  FROM jsonb_to_recordset(definitions) AS x (type text, flow jsonb, has_gate_code boolean)
  JOIN duework.job_definitions AS d ON d.type = x.type
  WHERE duework.gates_shape(d.flow, d.has_gate_code) IS NOT DISTINCT FROM duework.gates_shape(x.flow, x.has_gate_code)
$function$;

CREATE OR REPLACE FUNCTION duework.unique_key(type text, payload jsonb, path text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  value jsonb := payload #> path;
  told  text := value #>> '{}';
BEGIN
  IF told IS NULL THEN RETURN '-'; END IF;
  IF jsonb_typeof(value) IN ('object', 'array') THEN
    RAISE EXCEPTION 'The payload for % has an % at %, which makes it one of a kind: a text, a number or a boolean is needed.',
      type, jsonb_typeof(value), array_to_string(path, '.')
      USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key';
  END IF;
  IF jsonb_typeof(value) = 'number' THEN RETURN trim_scale(told::numeric)::text; END IF;
  RETURN duework.shorten_key(CASE WHEN told ~ '^-*$' THEN '--' || told ELSE told END);
END
$function$;

CREATE OR REPLACE FUNCTION duework.wake_run(id bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  was duework.job_runs;
BEGIN
  SELECT * INTO was FROM duework.job_runs AS j WHERE j.id = wake_run.id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF was.locked_by IS NOT NULL THEN
    UPDATE duework.job_runs AS j SET terms = coalesce(j.terms, '{}') || jsonb_build_object('woken', j.fence) WHERE j.id = was.id;
  ELSIF was.terms -> 'suspended' = to_jsonb(was.fence) AND was.run_at > now() THEN
    UPDATE duework.job_runs AS j SET run_at = now() WHERE j.id = was.id;
    IF was.held_by IS NOT NULL THEN
      PERFORM duework.line_up_anew(was);
    END IF;
    PERFORM duework.notify('duework_wake', was.queue);
  END IF;
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION duework.why_not_at_home()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION duework.write_callback(run jsonb)
 RETURNS text
 LANGUAGE sql
AS $function$
  SELECT split_part(duework.enqueue_1(
    run ->> 'type', (run ->> 'version')::integer, run ->> 'queue', (run ->> 'priority')::smallint,
    (run ->> 'maxAttempts')::integer, run -> 'payload', (run ->> 'runAt')::timestamptz, (run ->> 'delayMs')::float8,
    run ->> 'key', (run ->> 'keyWindowMs')::float8, run ->> 'queue', NULL, run -> 'meta', run -> 'flow'
  ), ' ', 1)
$function$;

CREATE OR REPLACE FUNCTION duework.write_gates(of_types text[], taker text, upto bigint, changes jsonb, goes_on boolean, OUT changed integer, OUT busy integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  ours text[] := ARRAY(
    SELECT d.type FROM duework.job_definitions AS d
    WHERE d.type = ANY(of_types) AND d.gates_by = taker AND d.gates_after IS NOT NULL ORDER BY d.type FOR UPDATE
  );
BEGIN
  IF cardinality(ours) < cardinality(of_types) THEN RETURN; END IF;
  SELECT coalesce(cardinality(c.changed), 0), c.busy INTO changed, busy FROM duework.change_gates(changes) AS c;
  IF busy > 0 AND NOT goes_on THEN RETURN; END IF;
  UPDATE duework.job_definitions AS d
  SET gates_after = CASE WHEN upto IS NOT NULL THEN greatest(d.gates_after, upto) END,
    gates_by = CASE WHEN upto IS NOT NULL THEN taker END,
    gates_at = CASE WHEN upto IS NOT NULL THEN clock_timestamp() END
  WHERE d.type = ANY(of_types);
  -- whoever has claimed none of them meanwhile looks again
  IF upto IS NULL THEN PERFORM pg_notify('duework_wake', ''); END IF;
END
$function$;

CREATE OR REPLACE FUNCTION duework.write_unique(run jsonb, wake text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  of_type  CONSTANT text := run ->> 'type';
  of_key   CONSTANT text := run ->> 'key';
  rule     CONSTANT jsonb := nullif(run -> 'rule', 'null');
  conflict CONSTANT text := rule ->> 'onConflict';
  period   CONSTANT interval := (rule ->> 'perMs')::float8 * interval '1 millisecond';
  flow     CONSTANT jsonb := nullif(run -> 'flow', 'null');
  lines    text[];
  due_at   timestamptz := coalesce((run ->> 'at')::timestamptz,
    CASE WHEN (run ->> 'delayMs')::float8 > 0 THEN statement_timestamp() ELSE now() END
      + (run ->> 'delayMs')::float8 * interval '1 millisecond');
  ends_at  timestamptz;
  holder   bigint := 0;
  held_to  timestamptz;
  waits    duework.job_runs;
  status   text;
  seen     record;
  answer   text[];
BEGIN
  IF rule IS NOT NULL THEN
    ends_at := CASE
      WHEN conflict = 'once_more' THEN now() + period
      -- the end of the period that it is now
      ELSE to_timestamp((floor(date_part('epoch', now()) / date_part('epoch', period)) + 1) * date_part('epoch', period))
    END;
    -- 0: nobody had it
    INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at) VALUES (of_type, of_key, 0, ends_at)
    ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET needed_at = now()
    RETURNING k.run_id, k.expires_at INTO holder, held_to;
    WHILE holder > 0 LOOP
      SELECT r.* INTO waits FROM duework.job_runs r
      WHERE r.id = holder AND r.status IN ('queued', 'failed') FOR UPDATE;
      status := waits.status;
      EXIT WHEN status IS NOT NULL;
      -- without a lock, for which its settlement would wait
      SELECT f.status INTO status FROM duework.find_run_status(holder) f;
      -- it has come back since it was looked for
      EXIT WHEN (status IN ('queued', 'failed')) IS NOT TRUE;
    END LOOP;
    IF status = 'running' THEN PERFORM duework.require_live(holder); END IF;
    IF held_to <= now() OR (CASE rule ->> 'while'
      WHEN 'kept' THEN status IS NULL
      WHEN 'alive' THEN (status IN ('queued', 'failed', 'running')) IS NOT TRUE
      ELSE waits.id IS NULL
    END) THEN holder := 0; END IF;
  END IF;

  IF holder > 0 AND conflict = 'refuse' THEN
    RAISE EXCEPTION 'There is a % with this key.', of_type
      USING ERRCODE = '22W12', DETAIL = 'job_exists', HINT = json_build_object('exists', holder::text, 'type', of_type, 'status', status);
  ELSIF holder > 0 AND conflict = 'cancel_running' THEN
    IF waits.id IS NOT NULL THEN
      PERFORM duework.cancel_waiting(ARRAY[holder], 'newer', 'A newer job was enqueued with its key', NULL);
    ELSE
      UPDATE duework.job_runs r
      SET cancel_requested_at = coalesce(r.cancel_requested_at, now()),
        cancel_requested_by = coalesce(r.cancel_requested_by, 'newer'),
        cancel_reason = coalesce(r.cancel_reason, 'A newer job was enqueued with its key')
      WHERE r.id = holder AND r.status = 'running';
      IF FOUND THEN PERFORM duework.notify('duework_cancel', holder::text); END IF;
    END IF;
  ELSIF holder > 0 AND (conflict = 'replace' AND waits.id IS NOT NULL
    -- the one more, whose time has not come: the first one keeps its payload, however long it waits for a worker
    OR conflict = 'once_more' AND waits.run_at > clock_timestamp() AND waits.claimed_at IS NULL) THEN
    IF conflict = 'once_more' THEN due_at := waits.run_at; END IF;
    due_at := least(due_at, waits.created_at + (rule ->> 'maxDelayMs')::float8 * interval '1 millisecond');
    lines := CASE WHEN flow ? 'gates'
      THEN duework.gates_in_queue(ARRAY(SELECT jsonb_array_elements_text(flow -> 'gates')), waits.queue) END;
    UPDATE duework.job_runs r
    SET payload = run -> 'payload', job_version = (run ->> 'version')::integer, run_at = due_at,
      meta = nullif(run -> 'meta', 'null'), terms = duework.terms_of(flow -> 'terms', coalesce((run ->> 'at')::timestamptz, duework.counted_from(due_at))),
      held_by = duework.gate_to_wait(waits, lines), gates = lines,
      gate_units = CASE WHEN flow ? 'units' THEN ARRAY(SELECT jsonb_array_elements_text(flow -> 'units')::integer) END
    WHERE r.id = holder;
    PERFORM duework.note_terms(ARRAY[holder]);
    IF coalesce(waits.gates, lines) IS NOT NULL THEN PERFORM duework.line_up_anew(waits); END IF;
    IF due_at < waits.run_at OR waits.gates IS NOT NULL THEN PERFORM duework.notify('duework_wake', waits.queue); END IF;
    RETURN json_build_object('id', holder, 'ms', date_part('epoch', due_at) * 1000, 'status', status, 'differs', false);
  ELSIF holder > 0 AND conflict = 'once_more' THEN
    due_at := greatest(due_at, held_to);
    ends_at := due_at + period;
  ELSIF holder > 0 THEN
    IF conflict = 'earliest' AND due_at < waits.run_at THEN
      UPDATE duework.job_runs r SET run_at = due_at WHERE r.id = holder;
      IF waits.held_by IS NOT NULL THEN PERFORM duework.line_up_anew(waits); END IF;
      PERFORM duework.notify('duework_wake', waits.queue);
    END IF;
    SELECT f.run_at, f.differs INTO seen
    FROM duework.compare_run(holder, (run ->> 'version')::integer, run -> 'payload') f;
    RETURN json_build_object('id', holder, 'ms', date_part('epoch', seen.run_at) * 1000, 'status', status,
      'differs', coalesce(seen.differs, false));
  END IF;

  answer := string_to_array(duework.enqueue_1(
    of_type, (run ->> 'version')::integer, run ->> 'queue', (run ->> 'priority')::smallint,
    (run ->> 'maxAttempts')::integer, run -> 'payload', due_at, 0,
    CASE WHEN rule IS NULL THEN of_key END, (run ->> 'windowMs')::float8, wake, NULL, nullif(run -> 'meta', 'null'), flow
  ), ' ');
  IF rule IS NOT NULL THEN
    UPDATE duework.job_keys k
    SET run_id = answer[1]::bigint, created_at = now(), needed_at = now(), expires_at = ends_at
    WHERE k.job_type = of_type AND k.key = of_key;
  END IF;
  RETURN json_build_object('id', answer[1]::bigint, 'ms', answer[2]::float8, 'status', split_part(answer[3], ',', 1),
    'differs', coalesce(answer[3] LIKE '%,differs', false));
END
$function$;

CREATE TRIGGER audit_entries_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON duework.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();

CREATE TRIGGER audit_entries_keep_young BEFORE DELETE ON duework.audit_entries FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

CREATE TRIGGER bulk_action_runs_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON duework.bulk_action_runs FOR EACH STATEMENT EXECUTE FUNCTION duework.keep_audit();

CREATE TRIGGER bulk_action_runs_keep_young BEFORE DELETE ON duework.bulk_action_runs FOR EACH ROW EXECUTE FUNCTION duework.keep_audit();

CREATE CONSTRAINT TRIGGER commit_checks_alone AFTER INSERT ON duework.commit_checks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION duework.refuse_alone();

CREATE TRIGGER flow_rules_set BEFORE INSERT OR UPDATE ON duework.flow_rules FOR EACH ROW EXECUTE FUNCTION duework.set_flow_rule();

CREATE TRIGGER job_history_batch_end AFTER INSERT ON duework.job_history FOR EACH ROW WHEN (new.terms ? 'batch'::text AND NOT (new.is_late AND new.finished_at < ((duework.day_of_id(new.id) + 2)::timestamp without time zone AT TIME ZONE 'UTC'::text))) EXECUTE FUNCTION duework.note_batch_end();

CREATE TRIGGER job_history_batch_return AFTER DELETE ON duework.job_history FOR EACH ROW WHEN (old.terms ? 'batch'::text) EXECUTE FUNCTION duework.note_batch_return();

CREATE TRIGGER job_history_cancelled_children AFTER INSERT ON duework.job_history_cancelled FOR EACH ROW WHEN (new.terms ? 'hasChildren'::text AND new.finished_at = now()) EXECUTE FUNCTION duework.cancel_children();

CREATE TRIGGER job_history_dead_acknowledged AFTER UPDATE ON duework.job_history_dead FOR EACH ROW WHEN (new.gates IS NOT NULL AND old.acknowledged_at IS NULL AND new.acknowledged_at IS NOT NULL) EXECUTE FUNCTION duework.look_at_gates();

CREATE TRIGGER job_history_dead_told AFTER INSERT ON duework.job_history_dead FOR EACH ROW WHEN (new.terms ? 'onDead'::text AND new.finished_at = now()) EXECUTE FUNCTION duework.tell_dead();

CREATE TRIGGER job_history_ended_told AFTER INSERT ON duework.job_history FOR EACH ROW WHEN (new.terms ? 'awaited'::text) EXECUTE FUNCTION duework.tell_ended();

CREATE TRIGGER job_history_waits_back AFTER DELETE ON duework.job_history FOR EACH ROW WHEN (old.terms ? 'waits'::text) EXECUTE FUNCTION duework.take_up_waits();

CREATE TRIGGER job_history_waits_left AFTER INSERT ON duework.job_history FOR EACH ROW WHEN (new.terms ? 'waits'::text) EXECUTE FUNCTION duework.leave_waits();

CREATE CONSTRAINT TRIGGER job_runs_alone AFTER INSERT ON duework.job_runs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.created_at > now()) EXECUTE FUNCTION duework.refuse_alone();

CREATE VIEW duework.alert_conditions AS
 SELECT name,
    subject,
    facts
   FROM duework.find_alerts() find_alerts(name, subject, facts);

CREATE VIEW duework.dead_jobs AS
 SELECT id,
    job_type,
    queue,
    attempts,
    error_code,
    error_type,
    last_error,
    failed_at,
    finished_at,
    created_at,
    payload
   FROM duework.job_history
  WHERE status = 'dead'::text
  ORDER BY finished_at DESC, id DESC;

CREATE VIEW duework.finished_jobs AS
 SELECT id,
    queue,
    job_type,
    job_version,
    status,
    priority,
    run_at,
    payload,
    idempotency_key,
    attempts,
    max_attempts,
    fence,
    worker,
    NULL::timestamp with time zone AS locked_until,
    claimed_at,
    failed_at,
    error_code,
    error_type,
    last_error,
    cancel_requested_at,
    cancel_requested_by,
    cancel_reason,
    progress,
    result,
    created_at,
    finished_at,
    snoozes,
    snoozed_at,
    acknowledged_at,
    meta,
    COALESCE(releases, 0) AS releases,
    NULL::text AS held_by,
    gates,
    gate_units,
    terms
   FROM duework.job_history;

CREATE VIEW duework.horizon_pins AS
 WITH pins AS (
         SELECT 'session'::text AS kind,
            a.pid,
            NULL::name AS name,
            a.datname AS database,
            a.usename AS username,
            a.application_name,
            a.state,
            GREATEST(age(a.backend_xid),
                CASE
                    WHEN a.datname = current_database() THEN age(a.backend_xmin)
                    ELSE NULL::integer
                END) AS transactions,
            a.xact_start AS started_at,
            "left"(a.query, 200) AS query,
            format('SELECT pg_terminate_backend(%s)'::text, a.pid) AS remedy
           FROM pg_stat_activity a
             LEFT JOIN pg_stat_replication r ON r.pid = a.pid
          WHERE (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL AND a.datname = current_database()) AND a.pid <> pg_backend_pid() AND a.backend_type IS DISTINCT FROM 'parallel worker'::text AND (r.pid IS NULL OR r.state = 'startup'::text) AND NOT (EXISTS ( SELECT
                   FROM pg_stat_progress_vacuum v
                  WHERE v.pid = a.pid))
        UNION ALL
         SELECT 'prepared_transaction'::text AS kind,
            NULL::integer AS pid,
            p_1.gid,
            p_1.database,
            p_1.owner,
            NULL::text AS application_name,
            'prepared'::text AS state,
            age(p_1.transaction) AS age,
            p_1.prepared,
            NULL::text AS query,
            format('in database %2$I: COMMIT PREPARED %1$L or ROLLBACK PREPARED %1$L'::text, p_1.gid, p_1.database) AS format
           FROM pg_prepared_xacts p_1
        UNION ALL
         SELECT 'replication_slot'::text AS kind,
            s.active_pid,
            s.slot_name,
            s.database,
            NULL::name AS username,
            NULL::text AS application_name,
                CASE
                    WHEN s.active THEN 'active'::text
                    ELSE 'inactive'::text
                END AS "case",
            age(s.xmin) AS age,
            NULL::timestamp with time zone AS started_at,
            NULL::text AS query,
                CASE
                    WHEN s.active THEN 'on its standby: end the long query, or set hot_standby_feedback to off'::text
                    ELSE format('bring its standby back, or give it up: SELECT pg_drop_replication_slot(%L)'::text, s.slot_name)
                END AS format
           FROM pg_replication_slots s
          WHERE s.xmin IS NOT NULL AND s.wal_status IS DISTINCT FROM 'lost'::text
        UNION ALL
         SELECT 'standby'::text AS kind,
            r.pid,
            r.application_name,
            NULL::name AS database,
            r.usename,
            r.application_name,
            r.state,
            age(r.backend_xmin) AS age,
            NULL::timestamp with time zone AS started_at,
            NULL::text AS query,
            'on the standby: end the long query, or set hot_standby_feedback to off'::text AS remedy
           FROM pg_stat_replication r
          WHERE r.backend_xmin IS NOT NULL AND r.state IS DISTINCT FROM 'startup'::text AND NOT (EXISTS ( SELECT
                   FROM pg_replication_slots s
                  WHERE s.active_pid = r.pid AND s.slot_type = 'logical'::text))
        )
 SELECT kind,
    pid,
    name,
    database,
    username,
    application_name,
    state,
    transactions,
        CASE
            WHEN started_at > now() THEN 0::numeric
            ELSE EXTRACT(epoch FROM now() - started_at)
        END::double precision AS transaction_seconds,
    GREATEST(0::numeric, COALESCE(EXTRACT(epoch FROM now() -
        CASE
            WHEN started_at IS NOT NULL THEN GREATEST(started_at, ( SELECT s.seen_at
               FROM duework.xid_samples s
              WHERE age(s.xid) >= p.transactions
              ORDER BY s.seen_at DESC
             LIMIT 1))
            ELSE ( SELECT s.seen_at
               FROM duework.xid_samples s
              WHERE age(s.xid) < p.transactions
              ORDER BY s.seen_at
             LIMIT 1)
        END), 0::numeric))::double precision AS pinned_seconds,
    query,
    remedy
   FROM pins p
  ORDER BY transactions DESC, started_at;

CREATE VIEW duework.jobs AS
 SELECT live_jobs.id,
    live_jobs.queue,
    live_jobs.job_type,
    live_jobs.job_version,
    live_jobs.status,
    live_jobs.priority,
    live_jobs.run_at,
    live_jobs.payload,
    live_jobs.idempotency_key,
    live_jobs.attempts,
    live_jobs.max_attempts,
    live_jobs.fence,
    live_jobs.worker,
    live_jobs.locked_until,
    live_jobs.claimed_at,
    live_jobs.failed_at,
    live_jobs.error_code,
    live_jobs.error_type,
    live_jobs.last_error,
    live_jobs.cancel_requested_at,
    live_jobs.cancel_requested_by,
    live_jobs.cancel_reason,
    live_jobs.progress,
    live_jobs.result,
    live_jobs.created_at,
    live_jobs.finished_at,
    live_jobs.snoozes,
    live_jobs.snoozed_at,
    live_jobs.acknowledged_at,
    live_jobs.meta,
    live_jobs.releases,
    live_jobs.held_by,
    live_jobs.gates,
    live_jobs.gate_units,
    live_jobs.terms
   FROM duework.live_jobs
UNION ALL
 SELECT finished_jobs.id,
    finished_jobs.queue,
    finished_jobs.job_type,
    finished_jobs.job_version,
    finished_jobs.status,
    finished_jobs.priority,
    finished_jobs.run_at,
    finished_jobs.payload,
    finished_jobs.idempotency_key,
    finished_jobs.attempts,
    finished_jobs.max_attempts,
    finished_jobs.fence,
    finished_jobs.worker,
    finished_jobs.locked_until,
    finished_jobs.claimed_at,
    finished_jobs.failed_at,
    finished_jobs.error_code,
    finished_jobs.error_type,
    finished_jobs.last_error,
    finished_jobs.cancel_requested_at,
    finished_jobs.cancel_requested_by,
    finished_jobs.cancel_reason,
    finished_jobs.progress,
    finished_jobs.result,
    finished_jobs.created_at,
    finished_jobs.finished_at,
    finished_jobs.snoozes,
    finished_jobs.snoozed_at,
    finished_jobs.acknowledged_at,
    finished_jobs.meta,
    finished_jobs.releases,
    finished_jobs.held_by,
    finished_jobs.gates,
    finished_jobs.gate_units,
    finished_jobs.terms
   FROM duework.finished_jobs;

CREATE VIEW duework.last_runs AS
 SELECT d.type AS job_type,
    d.version,
    h.id AS run_id,
    h.status,
    h.attempts,
    h.claimed_at,
    h.finished_at,
    h.error_code,
    h.last_error
   FROM duework.job_definitions d
     LEFT JOIN LATERAL duework.find_last_run(d.type, 40) h(id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, worker, claimed_at, failed_at, error_code, error_type, last_error, cancel_requested_at, cancel_requested_by, cancel_reason, result, created_at, finished_at, is_newest, snoozes, snoozed_at, acknowledged_at, is_late, meta, releases, gates, gate_units, terms, progress, ended_in, ended_with) ON true;

CREATE VIEW duework.live_jobs AS
 SELECT id,
    queue,
    job_type,
    job_version,
    status,
    priority,
    run_at,
    payload,
    idempotency_key,
    attempts,
    max_attempts,
    fence,
    locked_by AS worker,
    locked_until,
    claimed_at,
    failed_at,
    error_code,
    error_type,
    last_error,
    cancel_requested_at,
    cancel_requested_by,
    cancel_reason,
    progress,
    NULL::jsonb AS result,
    created_at,
    NULL::timestamp with time zone AS finished_at,
    snoozes,
    snoozed_at,
    NULL::timestamp with time zone AS acknowledged_at,
    meta,
    COALESCE(releases, 0) AS releases,
    held_by,
    gates,
    gate_units,
    terms
   FROM duework.job_runs;

CREATE VIEW duework.lost_workers AS
 SELECT name
   FROM duework.workers w
  WHERE hashtext(name)::oid <> ALL ((ARRAY( SELECT l.objid
           FROM pg_locks l
          WHERE l.locktype = 'advisory'::text AND l.objsubid = 2 AND l.classid = hashtext('duework.workers'::text)::oid AND l.database = (( SELECT d.oid
                   FROM pg_database d
                  WHERE d.datname = current_database())) AND l.mode = 'ShareLock'::text)));

CREATE VIEW duework.queue_depth AS
 SELECT queue,
    job_type,
    COALESCE(d.due, 0::bigint) AS due,
    COALESCE(d.scheduled, 0::bigint) + COALESCE(h.scheduled, 0::bigint) AS scheduled,
    COALESCE(d.retrying, 0::bigint) + COALESCE(h.retrying, 0::bigint) AS retrying,
    COALESCE(d.running, 0::bigint) AS running,
    COALESCE(h.held, 0::bigint) AS held,
    COALESCE(d.oldest_waiting_seconds, 0::double precision) AS oldest_waiting_seconds,
    COALESCE(d.is_at_least, false) OR COALESCE(h.is_at_least, false) AS is_at_least
   FROM duework.count_queue_depth(duework.share_budget(10000)) d(queue, job_type, due, scheduled, retrying, running, oldest_waiting_seconds, is_at_least)
     FULL JOIN duework.count_held(10000) h(queue, job_type, held, scheduled, retrying, is_at_least) USING (queue, job_type);

CREATE VIEW duework.running_runs AS
 WITH RECURSIVE firsts(queue, priority, run_at) AS (
        ( SELECT job_runs.queue,
            job_runs.priority,
            job_runs.run_at
           FROM duework.job_runs
          WHERE job_runs.held_by IS NULL
          ORDER BY job_runs.queue, job_runs.priority, job_runs.run_at
         LIMIT 1)
        UNION ALL
         SELECT next.queue,
            next.priority,
            next.run_at
           FROM firsts f_1
             CROSS JOIN LATERAL ( SELECT j.queue,
                    j.priority,
                    j.run_at
                   FROM duework.job_runs j
                  WHERE j.held_by IS NULL AND ((ROW(j.queue, j.priority) > ROW(f_1.queue, f_1.priority)))
                  ORDER BY j.queue, j.priority, j.run_at
                 LIMIT 1) next
        )
 SELECT r.id,
    r.queue,
    r.job_type,
    r.job_version,
    r.status,
    r.priority,
    r.run_at,
    r.payload,
    r.idempotency_key,
    r.attempts,
    r.max_attempts,
    r.fence,
    r.locked_by,
    r.locked_until,
    r.claimed_at,
    r.failed_at,
    r.error_code,
    r.error_type,
    r.last_error,
    r.cancel_requested_at,
    r.cancel_requested_by,
    r.cancel_reason,
    r.progress,
    r.created_at,
    r.snoozes,
    r.snoozed_at,
    r.meta,
    r.releases,
    r.held_by,
    r.gates,
    r.gate_units,
    r.terms
   FROM firsts f
     CROSS JOIN LATERAL ( SELECT j.id,
            j.queue,
            j.job_type,
            j.job_version,
            j.status,
            j.priority,
            j.run_at,
            j.payload,
            j.idempotency_key,
            j.attempts,
            j.max_attempts,
            j.fence,
            j.locked_by,
            j.locked_until,
            j.claimed_at,
            j.failed_at,
            j.error_code,
            j.error_type,
            j.last_error,
            j.cancel_requested_at,
            j.cancel_requested_by,
            j.cancel_reason,
            j.progress,
            j.created_at,
            j.snoozes,
            j.snoozed_at,
            j.meta,
            j.releases,
            j.held_by,
            j.gates,
            j.gate_units,
            j.terms
           FROM duework.job_runs j
          WHERE j.held_by IS NULL AND j.queue = f.queue AND j.priority = f.priority AND j.run_at <= now() AND j.status = 'running'::text
         OFFSET 0) r
  WHERE f.run_at <= now();

CREATE VIEW duework.schedule_states AS
 SELECT s.key,
    s.job_type,
    s.source,
    s.is_paused,
    s.cron,
    s.every_ms,
    s.at,
    s.time_zone,
    s.next_due_at,
    f.due_at AS last_fired_due_at,
    f.run_id AS last_fired_run_id,
    f.late_ms AS last_fired_late_ms,
    d.due_at AS last_due_at,
    d.outcome AS last_outcome,
    d.reason AS last_reason
   FROM duework.schedules s
     LEFT JOIN LATERAL ( SELECT l.schedule_id,
            l.due_at,
            l.schedule_key,
            l.job_type,
            l.outcome,
            l.reason,
            l.run_id,
            l.fires_at,
            l.decided_at,
            l.late_ms
           FROM duework.schedule_ledger l
          WHERE l.schedule_id = s.id AND l.outcome = 'fired'::text
          ORDER BY l.due_at DESC
         LIMIT 1) f ON true
     LEFT JOIN LATERAL ( SELECT l.schedule_id,
            l.due_at,
            l.schedule_key,
            l.job_type,
            l.outcome,
            l.reason,
            l.run_id,
            l.fires_at,
            l.decided_at,
            l.late_ms
           FROM duework.schedule_ledger l
          WHERE l.schedule_id = s.id
          ORDER BY l.due_at DESC
         LIMIT 1) d ON true;

CREATE VIEW duework.stuck_jobs AS
 SELECT r.id,
    r.job_type,
    r.queue,
    r.locked_by AS worker,
    r.attempts,
    r.claimed_at,
    EXTRACT(epoch FROM now() - r.claimed_at)::double precision AS running_seconds,
    r.locked_until,
    r.locked_until < now() AS is_lease_expired
   FROM duework.running_runs r
     LEFT JOIN duework.job_definitions d ON d.type = r.job_type
  WHERE r.locked_until < now() OR (r.claimed_at + d.timeout_ms * '00:00:00.001'::interval) < now();

CREATE VIEW duework.unserved_jobs AS
 SELECT queue,
    job_type,
    job_version,
    waiting,
    oldest_due_at,
    is_at_least
   FROM duework.count_unserved_jobs(duework.share_budget(10000)) count_unserved_jobs(queue, job_type, job_version, waiting, oldest_due_at, is_at_least);

COMMENT ON FUNCTION duework.begin_batch(jsonb,text,jsonb,jsonb,jsonb,text) IS 'Enqueues jobs that belong together, and what is to be enqueued once they have ended';

COMMENT ON FUNCTION duework.outer_id(bigint) IS 'The id of a job with the name of its shard, where this database is one';

COMMENT ON FUNCTION duework.read_ended(text,text[],integer) IS 'What has ended, page by page, each end at least once';

COMMENT ON FUNCTION duework.signal(text,text,jsonb) IS 'Sends a signal to the run that waits for it, or that will';

COMMENT ON TABLE duework.alert_silences IS 'Alerts of which nobody is told for a while';

COMMENT ON TABLE duework.carried_jobs IS 'Which job a forward of another shard has become here';

COMMENT ON TABLE duework.chores IS 'When each chore was taken that one worker at a time does';

COMMENT ON TABLE duework.expiries IS 'When runs expire that have not started by then';

COMMENT ON TABLE duework.figures_days IS 'Work by queue and type, day by day in UTC, for 90 days';

COMMENT ON TABLE duework.figures_hours IS 'Work by queue and type, hour by hour, for 90 days';

COMMENT ON TABLE duework.figures_minutes IS 'Work by queue and type, minute by minute, for a day';

COMMENT ON TABLE duework.flow_rules IS 'Limits, rates, orders, tenants and breakers';

COMMENT ON TABLE duework.job_alerts IS 'Alerts that are on, and those that were within 30 days';

COMMENT ON TABLE duework.job_batch_changes IS 'What has happened to batches and is not added up yet';

COMMENT ON TABLE duework.job_batch_jobs IS 'Which jobs belong to a batch';

COMMENT ON TABLE duework.job_batches IS 'Jobs that belong together';

COMMENT ON TABLE duework.job_objects IS 'Which jobs need which objects of the store of large payloads';

COMMENT ON TABLE duework.job_signals IS 'Signals that no run has received yet';

COMMENT ON TABLE duework.job_steps IS 'What the handlers of runs have done, with its results';

COMMENT ON TABLE duework.origin IS 'The name of this database for a dedicated queue, and where it lives';

COMMENT ON TABLE duework.past_workers IS 'Workers that have stopped or vanished, for 30 days';

COMMENT ON TABLE duework.pauses IS 'Queues and types of which nothing is claimed';

COMMENT ON TABLE duework.published_events IS 'Published events that are kept, or have a key, and who has had them';

COMMENT ON TABLE duework.queue_slots IS 'How many handlers the workers of a queue run at once, if an operator has changed it';

COMMENT ON TABLE duework.retention IS 'For how long the workers keep what is over, and how large the disk is';

COMMENT ON TABLE duework.shard IS 'Which of several databases this one is; without a row it is the only one';

COMMENT ON TABLE duework.stored_objects IS 'Large payloads and results that tableStore keeps';

COMMENT ON TABLE duework.xid_samples IS 'Which transaction number came next, once a minute';

COMMENT ON VIEW duework.alert_conditions IS 'What is wrong at this moment, by the limits that hold where nobody has set any';

COMMENT ON VIEW duework.dead_jobs IS 'Runs that were given up, newest first';

COMMENT ON VIEW duework.finished_jobs IS 'Runs that are over';

COMMENT ON VIEW duework.horizon_pins IS 'Who keeps VACUUM from removing dead rows, the oldest first';

COMMENT ON VIEW duework.jobs IS 'Live and finished runs as one table';

COMMENT ON VIEW duework.last_runs IS 'The last finished run of each definition';

COMMENT ON VIEW duework.live_jobs IS 'Runs that wait or run';

COMMENT ON VIEW duework.queue_depth IS 'Waiting and running work by queue and type';

COMMENT ON VIEW duework.running_runs IS 'Runs that a worker has claimed and not ended';

COMMENT ON VIEW duework.schedule_states IS 'Each schedule with its last due times and its next one';

COMMENT ON VIEW duework.stuck_jobs IS 'Runs that run for too long, or whose lease has expired';

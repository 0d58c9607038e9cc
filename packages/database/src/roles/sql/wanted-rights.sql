-- Every right that the roles should have, a column at a time for a reader. Partitions have the rights of their table.
-- lists: who may do what with which relations. S: SELECT, I: INSERT, U: UPDATE, D: DELETE. What a reader selects has no
-- hidden columns. A relation that is not here is nobody's: whoever adds one says it here, and in the test.
WITH RECURSIVE lists (worker, operator, reader, names) AS (VALUES
  ('SIUD', 'SIUD', 'S', 'job_runs job_history job_keys job_effects schedules schedule_ledger'),
  ('SIUD', 'SIUD', 'S', 'flow_rules flow_keys flow_waits flow_looks flow_turns'),
  ('SIUD', 'SI',   'S', 'job_attempts expiries'),
  ('SIUD', 'SUD',  'S', 'job_steps'),
  ('SIUD', 'SI',   'S', 'job_objects'),
  ('SD',   'S',    '',  'stored_objects'),
  ('SIUD', 'SIUD', 'S', 'job_alerts'),
  ('SD',   'SIUD', 'S', 'alert_silences'),
  ('SIUD', 'SID',  'S', 'xid_samples'),
  ('SIUD', 'S',    'S', 'schedule_declarations workers worker_contracts past_workers carried_jobs chores'),
  ('SIUD', 'S',    'S', 'figures_minutes figures_hours figures_days'),
  ('SIU',  'SIU',  'S', 'job_definitions'),
  ('SIU',  'S',    'S', 'schedule_lists'),
  ('SID',  'SD',   'S', 'released_runs'),
  ('SID',  'SID',  '',  'bulk_undos'),
  ('SI',   'SI',   'S', 'job_contracts audit_entries bulk_action_runs'),
  ('SIU',  'SIU',  'S', 'origin'),
  ('SIU',  'S',    'S', 'retention'),
  ('SU',   'SIU',  'S', 'bulk_actions'),
  ('SUD',  '',     '',  'kept_answers'),
  ('SD',   'SIUD', 'S', 'pauses'),
  ('S',    'SIUD', 'S', 'queue_slots'),
  ('SD',   'S',    'S', 'job_signals job_batches job_batch_jobs published_events'),
  ('S',    'S',    'S', 'job_batch_changes migrations shard'),
  ('S',    'S',    'S', 'jobs live_jobs finished_jobs dead_jobs stuck_jobs unserved_jobs queue_depth running_runs'),
  ('S',    'S',    'S', 'lost_workers horizon_pins schedule_states alert_conditions'),
  ('S',    'S',    '',  'last_runs'),
  -- check_at_commit writes it, with the rights of its owner
  ('',     '',     '',  'commit_checks'),
  ('',     'SIU',  '',  'api_keys')),
-- functions that run with their owner's rights; all others run with those of who calls them
calls (roles, names) AS (VALUES
  ('app worker operator', 'enqueue enqueue_1 enqueue_many_1 enqueue_unique_1 publish publish_1 open_batch join_batch begin_batch signal'),
  -- what writes in a caller's transaction asks for it
  ('app worker operator', 'take_answer keep_answer check_at_commit put_object'),
  ('worker operator',     'add_up_batches ensure_partitions'),
  ('operator',            'replay_events empty_copy ready_restored raise_sequences'),
  ('worker',              'prune prune_audit prune_bulk_actions')),
-- not pg_partition_tree, which locks each day
tree (top, oid) AS (
  SELECT t.oid, t.oid FROM pg_class t WHERE t.relnamespace = 'duework'::regnamespace
  UNION ALL
  SELECT t.top, i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid
),
relations AS (
  SELECT l.worker, l.operator, l.reader, c.oid, format('duework.%I', c.relname) AS object
  FROM lists l
  CROSS JOIN LATERAL string_to_table(l.names, ' ') AS n (name)
  JOIN pg_class top ON top.relname = n.name AND top.relnamespace = 'duework'::regnamespace
  JOIN tree ON tree.top = top.oid
  JOIN pg_class c ON c.oid = tree.oid
)
SELECT 'duework_' || w.role AS role, p.privilege, NULL::name AS attname, 'relation' AS kind, r.oid, r.object
FROM relations r
CROSS JOIN LATERAL (VALUES ('worker', r.worker), ('operator', r.operator)) AS w (role, letters)
JOIN (VALUES ('S', 'SELECT'), ('I', 'INSERT'), ('U', 'UPDATE'), ('D', 'DELETE')) AS p (letter, privilege)
  ON strpos(w.letters, p.letter) > 0
UNION ALL
SELECT 'duework_app', 'SELECT', NULL, 'relation', r.oid, r.object FROM relations r WHERE r.object = 'duework.migrations'
UNION ALL
SELECT 'duework_reader', 'SELECT', t.attname, 'relation', r.oid, r.object
FROM relations r
JOIN pg_attribute t ON t.attrelid = r.oid AND t.attnum > 0 AND NOT t.attisdropped
WHERE r.reader = 'S' AND t.attname <> ALL (string_to_array('payload result default_payload meta body secret_hash filter options callbacks logs', ' '))
UNION ALL
SELECT 'duework_' || role, 'EXECUTE', NULL, 'function', f.oid, 'FUNCTION ' || f.oid::regprocedure
FROM calls c
CROSS JOIN LATERAL string_to_table(c.names, ' ') AS n (name)
CROSS JOIN LATERAL string_to_table(c.roles, ' ') AS r (role)
JOIN pg_proc f ON f.proname = n.name AND f.pronamespace = 'duework'::regnamespace AND f.prosecdef
UNION ALL
SELECT role, 'USAGE', NULL, 'schema', n.oid, 'SCHEMA duework'
FROM string_to_table('duework_app duework_worker duework_operator duework_reader', ' ') AS r (role)
JOIN pg_namespace n ON n.nspname = 'duework'

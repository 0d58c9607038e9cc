-- Four roles that own nothing, for programs and people. Run it as the role that migrated, again after each migration:
--
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f roles.sql
--   CREATE ROLE shop LOGIN PASSWORD '…' IN ROLE duework_producer;
--
--   duework_producer  enqueues, through functions; reads no table, and so no payload
--   duework_worker    all that a worker does; makes and drops nothing but daily partitions
--   duework_operator  looks at everything, retries, cancels, schedules; enqueues, too, and makes contracts known: what an API needs
--   duework_reader    looks at everything but payloads and results; writes nothing
--
-- Whatever these roles had on the schema before is taken from them first. A relation, or a function with its owner's rights, that is in
-- none of the lists below ends the script: whoever adds one says here who may do what with it.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['duework_producer', 'duework_worker', 'duework_operator', 'duework_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', name); END IF;
  END LOOP;
END
$$;

DO $$
DECLARE
  everybody CONSTANT text := 'duework_producer, duework_worker, duework_operator, duework_reader';
  -- what nobody sees who may not see payloads, in whichever relation; a bulk action's filter and options may quote them
  hidden    CONSTANT name[] := ARRAY['payload', 'result', 'default_payload', 'meta', 'body', 'secret_hash', 'filter', 'options',
    -- jobs to enqueue, with their payloads; what handlers have logged
    'callbacks', 'logs'];
  forgotten text;
  entry     record;
  granted   record;
BEGIN
  CREATE TEMP TABLE rights (relation name PRIMARY KEY, worker text, operator text, reader text) ON COMMIT DROP;
  INSERT INTO rights VALUES
    -- S: SELECT, I: INSERT, U: UPDATE, D: DELETE, -: nothing. What a reader selects has no hidden columns.
    ('job_runs',           'SIUD', 'SIUD', 'S'),
    ('job_history',        'SIUD', 'SIUD', 'S'),
    ('job_attempts',       'SIUD', 'SI',   'S'),
    ('released_runs',      'SID',  'SD',   'S'),
    ('expiries',           'SIUD', 'SI',   'S'),
    -- check_at_commit writes it, with the rights of its owner
    ('commit_checks',      '-',    '-',    '-'),
    ('job_keys',           'SIUD', 'SIUD', 'S'),
    ('job_effects',        'SIUD', 'SIUD', 'S'),
    ('job_steps',          'SIUD', 'SD',   'S'),
    ('job_signals',        'SD',   'S',    'S'),
    ('job_batches',        'SD',   'S',    'S'),
    ('job_batch_changes',  'S',    'S',    'S'),
    ('job_batch_jobs',     'SD',   'S',    'S'),
    ('job_definitions',    'SIU',  'SIU',  'S'),
    ('job_contracts',      'SI',   'SI',   'S'),
    ('job_alerts',         'SIUD', 'SIU',    'S'),
    -- a key has a value of the payload in it, as an idempotency key may: none that is sensitive
    ('flow_rules',         'SIUD', 'SIUD', 'S'),
    ('flow_keys',          'SIUD', 'SIUD', 'S'),
    ('flow_waits',         'SIUD', 'SIUD', 'S'),
    ('flow_looks',         'SIUD', 'SIUD', 'S'),
    ('flow_turns',         'SIUD', 'SIUD', 'S'),
    ('schedules',          'SIUD', 'SIUD', 'S'),
    ('schedule_lists',     'SIU',  'S',    'S'),
    ('schedule_declarations', 'SIUD', 'S', 'S'),
    ('schedule_slots',     'SIUD', 'SIUD', 'S'),
    ('workers',            'SIUD', 'S',    'S'),
    ('worker_contracts',   'SIUD', 'S',    'S'),
    ('past_workers',       'SIUD', 'S',    'S'),
    ('xid_samples',        'SIUD', 'SID',    'S'),
    ('migrations',         'S',    'S',    'S'),
    ('api_keys',           '-',    'SIU',  '-'),
    ('audit_entries',      'SI',   'SI',   'S'),
    -- prune_bulk_actions deletes from both, with the rights of its owner
    ('bulk_actions',       'SU',   'SIU',  'S'),
    ('bulk_action_runs',   'SI',   'SI',   'S'),
    -- it has what payloads were before an edit
    ('bulk_undos',         'SID',  'SID',  '-'),
    ('figures_minutes',    'SIUD', 'S',    'S'),
    ('figures_hours',      'SIUD', 'S',    'S'),
    ('figures_days',       'SIUD', 'S',    'S'),
    -- it holds answers, which are read and written by functions
    ('kept_answers',       'SUD',  '-',    '-'),
    ('pauses',             'SD',   'SIUD', 'S'),
    -- whoever founds or closes a shard is its owner; a worker notes what it carries here from another one
    ('shard',              'S',    'S',    'S'),
    ('carried_jobs',       'SIUD', 'S',    'S'),
    -- whoever carries the first forward into a dedicated queue names the database
    ('origin',             'SI',   'S',    'S'),
    -- views: what is behind them is read with the rights of their owner
    ('dead_jobs',          'S',    'S',    'S'),
    ('finished_jobs',      'S',    'S',    'S'),
    ('horizon_pins',       'S',    'S',    'S'),
    ('jobs',               'S',    'S',    'S'),
    ('live_jobs',          'S',    'S',    'S'),
    ('lost_workers',       'S',    'S',    'S'),
    ('queue_depth',        'S',    'S',    'S'),
    ('running_runs',       'S',    'S',    'S'),
    ('schedule_states',    'S',    'S',    'S'),
    ('stuck_jobs',         'S',    'S',    'S'),
    ('unserved_jobs',        'S',    'S',    'S'),
    -- a function behind it reads whole rows, with the rights of who asks
    ('last_runs',          'S',    'S',    '-');

  SELECT string_agg(format('duework.%s', c.relname), ', ') INTO forgotten
  FROM pg_class c
  WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (
      SELECT FROM rights r
      WHERE r.relation = c.relname
        -- a partition has the rights of the table that it is part of
        OR EXISTS (SELECT FROM pg_partition_ancestors(c.oid) a JOIN pg_class p ON p.oid = a.relid WHERE p.relname = r.relation)
    );
  IF forgotten IS NOT NULL THEN
    RAISE EXCEPTION 'Nobody has said who may do what with %: add it to the list in roles.sql.', forgotten;
  END IF;

  EXECUTE format('REVOKE ALL ON SCHEMA duework FROM %s', everybody);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA duework FROM %s', everybody);
  EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA duework FROM %s', everybody);
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA duework FROM %s', everybody);
  EXECUTE format('GRANT USAGE ON SCHEMA duework TO %s', everybody);

  -- each relation and its partitions
  FOR entry IN
    SELECT r.*, c.oid, c.relname
    FROM rights r
    JOIN pg_class top ON top.relname = r.relation AND top.relnamespace = 'duework'::regnamespace
    CROSS JOIN LATERAL (
      SELECT top.oid UNION SELECT t.relid FROM pg_partition_tree(top.oid) t
    ) AS tree (oid)
    JOIN pg_class c ON c.oid = tree.oid
  LOOP
    FOR granted IN
      SELECT a.role, string_agg(p.name, ', ') AS privileges
      FROM (VALUES ('duework_worker', entry.worker), ('duework_operator', entry.operator)) AS a (role, letters)
      JOIN (VALUES ('S', 'SELECT'), ('I', 'INSERT'), ('U', 'UPDATE'), ('D', 'DELETE')) AS p (letter, name) ON strpos(a.letters, p.letter) > 0
      GROUP BY a.role
    LOOP
      EXECUTE format('GRANT %s ON duework.%I TO %I', granted.privileges, entry.relname, granted.role);
    END LOOP;
    IF entry.reader = 'S' THEN
      EXECUTE (
        SELECT format('GRANT SELECT (%s) ON duework.%I TO duework_reader', string_agg(quote_ident(t.attname), ', '), entry.relname)
        FROM pg_attribute t
        WHERE t.attrelid = entry.oid AND t.attnum > 0 AND NOT t.attisdropped AND t.attname <> ALL (hidden)
      );
    END IF;
  END LOOP;

  -- Functions that run with their owner's rights; all others run with those of who calls them, and so need no decision. One that is
  -- not named here ends the script, as a relation does.
  CREATE TEMP TABLE calls (function name PRIMARY KEY, roles text) ON COMMIT DROP;
  INSERT INTO calls VALUES
    ('enqueue',             'duework_producer, duework_worker, duework_operator'),
    ('enqueue_1',           'duework_producer, duework_worker, duework_operator'),
    ('enqueue_many_1',      'duework_producer, duework_worker, duework_operator'),
    ('enqueue_unique_1',    'duework_producer, duework_worker, duework_operator'),
    -- what writes in a caller's transaction asks for it
    ('check_at_commit',     'duework_producer, duework_worker, duework_operator'),
    -- a trigger, which needs no right of who writes the row
    ('refuse_alone',        NULL),
    ('tell_dead',           NULL),
    ('tell_ended',          NULL),
    ('cancel_children',     NULL),
    ('note_batch_end',      NULL),
    ('note_batch_return',   NULL),
    ('open_batch',          'duework_producer, duework_worker, duework_operator'),
    ('join_batch',          'duework_producer, duework_worker, duework_operator'),
    ('begin_batch',         'duework_producer, duework_worker, duework_operator'),
    ('add_up_batches',      'duework_worker, duework_operator'),
    ('signal',              'duework_producer, duework_worker, duework_operator'),
    ('ensure_partitions',   'duework_worker, duework_operator'),
    ('prune',              'duework_worker'),
    ('prune_audit',        'duework_worker'),
    ('prune_bulk_actions', 'duework_worker'),
    ('take_answer',         'duework_producer, duework_operator'),
    ('keep_answer',         'duework_producer, duework_operator');

  SELECT string_agg(f.oid::regprocedure::text, ', ') INTO forgotten
  FROM pg_proc f
  WHERE f.pronamespace = 'duework'::regnamespace AND f.prosecdef AND f.proname NOT IN (SELECT c.function FROM calls c);
  IF forgotten IS NOT NULL THEN
    RAISE EXCEPTION 'Nobody has said who may call %: add it to the list in roles.sql.', forgotten;
  END IF;

  FOR granted IN
    SELECT f.oid::regprocedure AS signature, c.roles
    FROM calls c JOIN pg_proc f ON f.proname = c.function AND f.pronamespace = 'duework'::regnamespace AND f.prosecdef
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', granted.signature);
    IF granted.roles IS NOT NULL THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', granted.signature, granted.roles);
    END IF;
  END LOOP;
END
$$;

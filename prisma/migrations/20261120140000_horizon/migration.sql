-- The horizon: VACUUM may remove a dead row only when no snapshot that is still held could see it. Whoever holds an old one
-- pins the horizon, and every table that rows leave, job_runs first of all, grows until it lets go.

-- Which transaction number came next at which moment, written once a minute by raise-alerts and kept for a day: what pins
-- is known by such a number, and a replication slot has no time of its own.
CREATE TABLE duework.xid_samples (
  seen_at timestamptz NOT NULL DEFAULT now(),
  xid     xid         NOT NULL DEFAULT pg_snapshot_xmax(pg_current_snapshot())::xid,
  CONSTRAINT xid_samples_pkey PRIMARY KEY (seen_at)
);

-- Whoever keeps VACUUM from removing dead rows of this database's tables, the oldest first. What counts is what PostgreSQL
-- counts (ComputeXidHorizons in procarray.c), for tables that are no catalogs:
--   sessions of this database: their transaction number and their snapshot; a snapshot of another database does not;
--   transaction numbers of any database, prepared ones too: they do not pin by themselves, but every snapshot that is taken
--     here meanwhile is as old as they are, and while work flows there always is one;
--   xmin of a replication slot, and what a standby without one sends back; catalog_xmin pins catalogs only;
--   not VACUUM, which others ignore, nor a walsender that decodes, for which its slot speaks; but ANALYZE.
-- Without pg_read_all_stats, `state`, `query` and the start of other roles' transactions are hidden; the rest is not.
CREATE VIEW duework.horizon_pins AS
  WITH pins AS (
    SELECT 'session' AS kind, a.pid, NULL::name AS name, a.datname AS database, a.usename AS username, a.application_name, a.state,
      greatest(age(a.backend_xid), CASE WHEN a.datname = current_database() THEN age(a.backend_xmin) END) AS transactions,
      a.xact_start AS started_at, left(a.query, 200) AS query, format('SELECT pg_terminate_backend(%s)', a.pid) AS remedy
    FROM pg_stat_activity a
    LEFT JOIN pg_stat_replication r ON r.pid = a.pid
    WHERE (a.backend_xid IS NOT NULL OR (a.backend_xmin IS NOT NULL AND a.datname = current_database()))
      -- who looks holds a snapshot, too; a parallel worker has the one of its leader
      AND a.pid <> pg_backend_pid() AND a.backend_type IS DISTINCT FROM 'parallel worker'
      -- a walsender that copies a table is in a transaction like others
      AND (r.pid IS NULL OR r.state = 'startup')
      AND NOT EXISTS (SELECT FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid)
    UNION ALL
    SELECT 'prepared_transaction', NULL, p.gid, p.database, p.owner, NULL, 'prepared', age(p.transaction), p.prepared, NULL,
      format('in database %2$I: COMMIT PREPARED %1$L or ROLLBACK PREPARED %1$L', p.gid, p.database)
    FROM pg_prepared_xacts p
    UNION ALL
    SELECT 'replication_slot', s.active_pid, s.slot_name, s.database, NULL, NULL, CASE WHEN s.active THEN 'active' ELSE 'inactive' END,
      age(s.xmin), NULL, NULL,
      CASE WHEN s.active THEN 'on its standby: end the long query, or set hot_standby_feedback to off'
        ELSE format('bring its standby back, or give it up: SELECT pg_drop_replication_slot(%L)', s.slot_name) END
    FROM pg_replication_slots s
    WHERE s.xmin IS NOT NULL AND s.wal_status IS DISTINCT FROM 'lost'
    UNION ALL
    SELECT 'standby', r.pid, r.application_name, NULL, r.usename, r.application_name, r.state, age(r.backend_xmin), NULL, NULL,
      'on the standby: end the long query, or set hot_standby_feedback to off'
    FROM pg_stat_replication r
    WHERE r.backend_xmin IS NOT NULL AND r.state IS DISTINCT FROM 'startup'
      AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
  )
  SELECT kind, pid, name, database, username, application_name, state, transactions,
    -- a transaction may have begun after the one that looks
    CASE WHEN started_at > now() THEN 0 ELSE extract(epoch FROM now() - started_at) END::float8 AS transaction_seconds,
    greatest(0, coalesce(extract(epoch FROM now() - CASE
      -- a long transaction may take a fresh snapshot for each statement: a sample that its number is younger than says so
      WHEN started_at IS NOT NULL THEN greatest(started_at,
        (SELECT s.seen_at FROM duework.xid_samples s WHERE age(s.xid) >= p.transactions ORDER BY s.seen_at DESC LIMIT 1))
      ELSE (SELECT s.seen_at FROM duework.xid_samples s WHERE age(s.xid) < p.transactions ORDER BY s.seen_at LIMIT 1)
    END), 0))::float8 AS pinned_seconds,
    query, remedy
  FROM pins p
  ORDER BY transactions DESC, started_at;

COMMENT ON TABLE duework.xid_samples IS 'Which transaction number came next, once a minute';
COMMENT ON VIEW duework.horizon_pins IS 'Who keeps VACUUM from removing dead rows, the oldest first';

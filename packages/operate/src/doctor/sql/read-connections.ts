import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

/** One limit of connections and how much of it is taken. */
export interface ConnectionFacts {
  readonly of: string;
  /** Where it is set: `max_connections`, or the statement that changes it. */
  readonly setBy: string;
  readonly limit: number;
  readonly used: number;
}

/** The limits of the server, of this database and of this role; one that is not set is not here. */
export function readConnections(db: Queryable): Promise<ConnectionFacts[]> {
  return queryRows(
    db,
    sql`
    WITH sessions AS MATERIALIZED (
      -- without pg_read_all_stats the type of others is hidden: who is in a database and no worker of the server is a client
      SELECT datname, usename FROM pg_stat_activity WHERE datname IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'
    )
    SELECT 'the server' AS of, 'max_connections' AS "setBy",
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true)::integer, 0) AS limit,
      (SELECT count(*) FROM sessions)::integer AS used
    UNION ALL
    SELECT format('the database %s', d.datname), format('ALTER DATABASE %I CONNECTION LIMIT', d.datname), d.datconnlimit,
      (SELECT count(*) FROM sessions s WHERE s.datname = d.datname)::integer
    FROM pg_database d WHERE d.datname = current_database() AND d.datconnlimit > 0
    UNION ALL
    SELECT format('the role %s', r.rolname), format('ALTER ROLE %I CONNECTION LIMIT', r.rolname), r.rolconnlimit,
      (SELECT count(*) FROM sessions s WHERE s.usename = r.rolname)::integer
    FROM pg_roles r WHERE r.rolname = current_user AND r.rolconnlimit > 0
  `,
  );
}

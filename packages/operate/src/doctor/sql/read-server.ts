import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

/** What the server says of itself, and how sessions of this database begin. */
export interface ServerFacts {
  readonly version: string;
  readonly major: number;
  readonly isStandby: boolean;
  /** The day in UTC, by the server's clock: 2026-11-23. */
  readonly today: string;
  /** How much of the queue of notifications is taken, from 0 to 1. */
  readonly notifications: number;
  readonly database: string;
  readonly role: string;
  /** The settings of this session, by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Zones that sessions begin with unless they say otherwise, the server's own last; where it is known. */
  readonly zones: readonly { readonly of: string; readonly zone: string }[];
}

/** One statement; `postgresql.conf` takes another one, which only some roles may send. */
export async function readServer(db: Queryable): Promise<ServerFacts> {
  const [row] = await queryRows<{ facts: string; mayReadFile: boolean }>(
    db,
    sql`
    SELECT json_build_object(
      'version', current_setting('server_version'),
      'major', current_setting('server_version_num')::integer / 10000,
      'isStandby', pg_is_in_recovery(),
      'today', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
      'notifications', pg_notification_queue_usage(),
      'database', current_database(),
      'role', current_user,
      'settings', (
        SELECT json_object_agg(name, setting) FROM pg_settings
        WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'track_counts', 'TimeZone',
          'default_transaction_read_only', 'default_transaction_isolation', 'statement_timeout')
      ),
      'zones', coalesce((
        SELECT json_agg(json_build_object(
          'of', concat_ws(' in ', 'role ' || r.rolname, 'database ' || d.datname), 'zone', split_part(c.setting, '=', 2)
        ) ORDER BY r.rolname, d.datname)
        FROM pg_db_role_setting s
        CROSS JOIN LATERAL unnest(s.setconfig) AS c (setting)
        LEFT JOIN pg_roles r ON r.oid = s.setrole
        LEFT JOIN pg_database d ON d.oid = s.setdatabase
        WHERE c.setting ILIKE 'timezone=%' AND (s.setdatabase = 0 OR d.datname = current_database())
      ), '[]')
    )::text AS facts,
    has_function_privilege('pg_show_all_file_settings()', 'EXECUTE') AS "mayReadFile"
  `,
  );
  const facts = JSON.parse(row!.facts) as ServerFacts;
  if (!row!.mayReadFile) return facts;
  const files = await queryRows<{ zone: string }>(
    db,
    sql`SELECT setting AS zone FROM pg_show_all_file_settings() WHERE lower(name) = 'timezone' AND applied`,
  );
  return { ...facts, zones: [...facts.zones, ...files.map(({ zone }) => ({ of: 'postgresql.conf', zone }))] };
}

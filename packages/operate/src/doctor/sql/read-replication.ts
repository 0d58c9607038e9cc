import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

/** A server that gets everything that this one commits. */
export interface Standby {
  readonly name: string;
  /** `streaming`, or how far it has come on its way there. */
  readonly state: string;
  /** A commit may wait for it: it is one of those that `waitsFor` names. */
  readonly isCounted: boolean;
}

/** How a commit gets to another server. */
export interface Replication {
  /** `synchronous_standby_names`; empty: no commit waits for another server. */
  readonly waitsFor: string;
  /** `synchronous_commit` of this session. */
  readonly commits: string;
  /** Those that are connected now; null: the role may not see them. */
  readonly standbys: readonly Standby[] | null;
}

export interface ReplicationFacts extends Replication {
  readonly database: string;
  /** What has sessions of a role, or of the database, commit otherwise: `role app`, `local`. */
  readonly others: readonly { readonly of: string; readonly commits: string }[];
}

/** One statement. Of standbys, a role without the rights of pg_monitor sees that they are there, and no more. */
export async function readReplication(db: Queryable): Promise<ReplicationFacts> {
  const [row] = await queryRows<{ facts: string }>(
    db,
    sql`
    SELECT json_build_object(
      'database', current_database(),
      'waitsFor', current_setting('synchronous_standby_names'),
      'commits', current_setting('synchronous_commit'),
      'standbys', CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN coalesce((
        SELECT json_agg(json_build_object(
          'name', application_name, 'state', state, 'isCounted', sync_state IN ('sync', 'quorum')
        ) ORDER BY application_name, pid)
        FROM pg_stat_replication
        WHERE state <> 'backup'
      ), '[]') END,
      'others', coalesce((
        SELECT json_agg(json_build_object(
          'of', concat_ws(' in ', 'role ' || r.rolname, 'database ' || d.datname), 'commits', split_part(c.setting, '=', 2)
        ) ORDER BY r.rolname, d.datname)
        FROM pg_db_role_setting s
        CROSS JOIN LATERAL unnest(s.setconfig) AS c (setting)
        LEFT JOIN pg_roles r ON r.oid = s.setrole
        LEFT JOIN pg_database d ON d.oid = s.setdatabase
        WHERE c.setting LIKE 'synchronous_commit=%' AND (s.setdatabase = 0 OR d.datname = current_database())
      ), '[]')
    )::text AS facts
  `,
  );
  return JSON.parse(row!.facts) as ReplicationFacts;
}

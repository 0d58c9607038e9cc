import { queryRows, sql, type Queryable } from '@duework/sql';

export interface ListenerPlace {
  /** The sessions of a group, this one included, in an order that all of them see: a number that changes with them. */
  readonly pids: string;
  readonly count: number;
  /** This session's place among them, from 0; null: it is none of them. */
  readonly rank: number | null;
}

/** Who listens in each of those groups, in their order. Those who hold the lock live, and nobody else has it. */
export async function readListeners(db: Queryable, groups: readonly string[]): Promise<ListenerPlace[]> {
  return queryRows(
    db,
    sql`
    SELECT coalesce(string_agg(l.pid::text, ' ' ORDER BY l.pid), '') AS pids, count(l.pid)::integer AS count,
      CASE WHEN bool_or(l.pid = pg_backend_pid()) THEN count(*) FILTER (WHERE l.pid < pg_backend_pid())::integer END AS rank
    FROM unnest(${groups}::text[]) WITH ORDINALITY AS g (name, position)
    LEFT JOIN pg_locks AS l
      ON l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid = hashtext('duework.listeners')::oid
        AND l.objid = hashtext(g.name)::oid
        AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
    GROUP BY g.position
    ORDER BY g.position
  `,
  );
}

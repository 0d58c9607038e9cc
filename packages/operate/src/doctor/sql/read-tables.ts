import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

export interface TableFacts {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  /** Since the last vacuum, whoever ran it; null: none is known. */
  readonly vacuumAgeSeconds: number | null;
}

/** How many rows each table of the schema duework has, as the server counts them. */
export function readTables(db: Queryable): Promise<TableFacts[]> {
  return queryRows(
    db,
    sql`
    SELECT relname::text AS name, n_live_tup::float8 AS live, n_dead_tup::float8 AS dead,
      extract(epoch FROM now() - greatest(last_vacuum, last_autovacuum))::float8 AS "vacuumAgeSeconds"
    FROM pg_stat_all_tables
    WHERE schemaname = 'duework'
    ORDER BY 1
  `,
  );
}

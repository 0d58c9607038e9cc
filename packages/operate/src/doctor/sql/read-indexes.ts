import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

export interface IndexFacts {
  readonly name: string;
  readonly table: string;
  readonly isValid: boolean;
  /** Somebody builds an index of its table at this moment. */
  readonly isInWork: boolean;
  /** It belongs to a constraint or to an index of the partitioned table. */
  readonly isPart: boolean;
  /** Since when nobody has read it is in no catalog; the statistics count since the server's last reset of them. */
  readonly scans: number;
  readonly bytes: number;
  /** What its entries would take in full pages, estimated from the statistics; null: there are none yet. */
  readonly neededBytes: number | null;
}

/**
 * The indexes of the schema duework without those of days, which are dropped before they bloat. An entry takes 12 bytes
 * beside its columns, whose widths ANALYZE has measured; pages are full to nine tenths.
 */
export function readIndexes(db: Queryable): Promise<IndexFacts[]> {
  return queryRows(
    db,
    sql`
    SELECT x.relname::text AS name, c.relname::text AS table, i.indisvalid AS "isValid",
      NOT i.indisvalid AND EXISTS (
        SELECT FROM pg_locks l JOIN pg_stat_progress_create_index b ON b.pid = l.pid AND b.datname = current_database()
        WHERE l.relation = i.indrelid AND l.mode = 'ShareUpdateExclusiveLock' AND l.granted
      ) AS "isInWork",
      EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
        OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid) AS "isPart",
      greatest(pg_stat_get_numscans(i.indexrelid), coalesce((
        -- not pg_partition_tree, which locks each day
        WITH RECURSIVE parts AS (
          SELECT h.inhrelid FROM pg_inherits h WHERE h.inhparent = i.indexrelid
          UNION ALL
          SELECT h.inhrelid FROM parts p JOIN pg_inherits h ON h.inhparent = p.inhrelid
        )
        SELECT sum(pg_stat_get_numscans(p.inhrelid)) FROM parts p
      ), 0))::float8 AS scans,
      pg_relation_size(i.indexrelid)::float8 AS bytes,
      CASE WHEN x.relkind = 'i' AND x.reltuples >= 0 THEN greatest(2, ceil(x.reltuples * (12 + (
        SELECT sum(coalesce(s.avg_width, 16))
        FROM unnest(i.indkey::smallint[]) AS k (attnum)
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        LEFT JOIN pg_stats s ON s.schemaname = 'duework' AND s.tablename = c.relname AND s.attname = a.attname
      )) / (0.9 * current_setting('block_size')::float8)) + 1) * current_setting('block_size')::float8 END AS "neededBytes"
    FROM pg_index i
    JOIN pg_class x ON x.oid = i.indexrelid
    JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = 'duework'::regnamespace AND c.relname !~ '_[0-9]{8}(_|$)'
    ORDER BY 1
  `,
  );
}

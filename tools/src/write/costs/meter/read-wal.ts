import type pg from 'pg';

export interface Wal {
  readonly records: number;
  readonly bytes: number;
  /** Of tables: inserted, updated, locked and deleted; a record of many rows counts as one. */
  readonly rowVersions: number;
  readonly indexEntries: number;
}

/** Where the next record will be written. */
export async function readWalPosition(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query<{ lsn: string }>(`SELECT pg_current_wal_insert_lsn()::text AS lsn`);
  return rows[0]!.lsn;
}

/** What is not yet on the disk cannot be read; this commit takes it there. */
const FLUSH = `SELECT pg_logical_emit_message(true, 'costs', '')`;

/**
 * The server's own records (which pages were given a hint, which transactions run) come at moments of their own. A page
 * split inserts one entry, and so does each record of an insert; those above the leaves belong to a split.
 */
const READ = `
  SELECT
    count(*)::int AS records,
    coalesce(sum(record_length - fpi_length), 0)::int AS bytes,
    (count(*) FILTER (
      WHERE resource_manager IN ('Heap', 'Heap2')
        AND record_type ~ '^(INSERT|MULTI_INSERT|UPDATE|HOT_UPDATE|DELETE|LOCK|LOCK_UPDATED)'
    ))::int AS "rowVersions",
    (count(*) FILTER (
      WHERE resource_manager = 'Btree'
        AND (record_type IN ('INSERT_LEAF', 'INSERT_POST') OR (record_type LIKE 'SPLIT%' AND description LIKE 'level: 0%'))
    ))::int AS "indexEntries"
  FROM pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn)
  WHERE resource_manager NOT IN ('XLOG', 'Standby')`;

/** What was written to the log between two positions. */
export async function readWal(admin: pg.Client, from: string, to: string): Promise<Wal> {
  if (from === to) return { records: 0, bytes: 0, rowVersions: 0, indexEntries: 0 };
  await admin.query(FLUSH);
  const { rows } = await admin.query<Wal>(READ, [from, to]);
  return rows[0]!;
}

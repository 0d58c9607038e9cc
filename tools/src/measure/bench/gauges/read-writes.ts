import { queryRow } from '../systems/query-once.js';

/** The position of the write-ahead log, in bytes. */
export async function readWalBytes(url: string): Promise<number> {
  const { bytes } = await queryRow<{ bytes: string }>(url, `SELECT (pg_current_wal_lsn() - '0/0')::text AS bytes`);
  return Number(bytes);
}

/**
 * The number of row versions that died in this database so far. Sessions report them when they end, so the workers'
 * must have ended.
 */
export async function readDeadTuples(url: string): Promise<number> {
  const { dead } = await queryRow<{ dead: number }>(
    url,
    'SELECT coalesce(sum(n_tup_upd + n_tup_del), 0)::float8 AS dead FROM pg_stat_user_tables',
  );
  return dead;
}

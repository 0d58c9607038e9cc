import type pg from 'pg';

/**
 * Runs `work` while `client` holds the migrators' lock. The lock belongs to the session, so it is gone when the
 * connection is: whoever calls this ends it. A second migrator waits here and then finds nothing to do. (A pooler in
 * transaction mode has no session locks; migrate through the server's own address.)
 */
export async function withMigrationLock<T>(
  client: pg.Client,
  work: () => Promise<T>,
  onProgress: (message: string) => void,
): Promise<T> {
  const lock = "hashtextextended('duework.migrate', 0)";
  const { rows } = await client.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS is_mine`);
  if (rows[0]?.is_mine !== true) {
    onProgress('Another migration is running on this database; waiting for it …');
    await client.query(`SELECT pg_advisory_lock(${lock})`);
  }
  return work();
}

import pg from 'pg';
import type { DatabaseAddress } from '../parse-database-url.js';
import { sessionOptions } from '../session-options.js';

/**
 * Runs `work` while holding the migrators' lock, on a connection of its own: the lock belongs to the session, so it is
 * gone when the process is. A second migrator waits here and then finds nothing to do. (A pooler in transaction mode
 * has no session locks; migrate through the server's own address.)
 */
export async function withMigrationLock<T>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
  onProgress: (message: string) => void,
): Promise<T> {
  const client = new pg.Client({
    connectionString: address.url,
    options: sessionOptions(address, 'app'),
    application_name: 'duework-migrate',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // A broken connection makes the next query fail; without a listener its 'error' would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const lock = "hashtextextended('duework.migrate', 0)";
    // guard: migrate-lock
    const { rows } = await client.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS is_mine`);
    // guard end: migrate-lock
    if (rows[0]?.is_mine !== true) {
      onProgress('Another migration is running on this database; waiting for it …');
      await client.query(`SELECT pg_advisory_lock(${lock})`);
    }
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const ASK_AGAIN_MS = 200;

/**
 * Runs `work` while `client` holds the migrators' lock. The lock belongs to the session, so it is gone when the
 * connection is: whoever calls this ends it. A second migrator waits here, whatever the time limits of its role and
 * database are, and then finds nothing to do. It asks again and again instead of waiting in a statement, whose snapshot
 * would keep an index from being made concurrently. (A pooler in transaction mode has no session locks; migrate through
 * the server's own address.)
 */
export async function withMigrationLock<T>(
  client: pg.Client,
  work: () => Promise<T>,
  onProgress: (message: string) => void,
): Promise<T> {
  const lock = "hashtextextended('duework.migrate', 0)";
  const take = async (): Promise<boolean> => {
    const { rows } = await client.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS is_mine`);
    return rows[0]!.is_mine;
  };
  await client.query('SET lock_timeout = 0; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  if (!(await take())) {
    onProgress('Another migration is running on this database; waiting for it …');
    do await delay(ASK_AGAIN_MS);
    while (!(await take()));
  }
  return work();
}

import pg from 'pg';

/**
 * A pool for graphile-worker, to be ended by the test: one of its own goes on closing after it says that it has stopped,
 * and an idle connection of it fails when the database is dropped.
 */
export function openGraphilePool(connectionString: string): pg.Pool {
  const fail = (error: Error): void => {
    throw error;
  };
  const pool = new pg.Pool({ connectionString }).on('error', fail);
  return pool.on('connect', (client) => client.on('error', fail));
}

import pg from 'pg';

/** An open connection whose loss is no uncaught error. */
export async function openClient(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...options });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A pool whose lost connections are no uncaught errors. */
export function openPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

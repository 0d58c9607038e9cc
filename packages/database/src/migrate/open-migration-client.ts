import type pg from 'pg';
import { clientClass } from '../hosts/client-class.js';
import type { DatabaseAddress } from '../parse-database-url.js';
import { sessionOptions } from '../session-options.js';

/** A connection for a migrator, or another owner, in UTC. Throws what `pg` throws when there is none to be had. */
export async function openMigrationClient(
  address: DatabaseAddress,
  applicationName = 'duework-migrate',
): Promise<pg.Client> {
  const client = new (clientClass(address))({
    connectionString: address.url,
    options: sessionOptions(address, 'app'),
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  await client.connect();
  return client;
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { withDatabaseName, withServer } from './with-server.js';

export interface TemplateDatabase {
  readonly name: string;
  drop(): Promise<void>;
  /** Ends every connection to it and lets nobody in any more, because a database cannot be cloned while somebody is. */
  seal(): Promise<void>;
}

/** Migrates whatever else belongs into a test's database; gets its URL. */
export type MigrateToo = (url: string) => unknown;

/**
 * Creates and migrates the database that every test database is cloned from. `migrateToo` is called behind Duework's
 * migrations, so that its triggers may enqueue. Nobody may stay connected to it; `seal` makes sure of that.
 */
export async function createTemplateDatabase(
  serverUrl: string,
  migrateToo: MigrateToo = () => {},
): Promise<TemplateDatabase> {
  const name = `duework_template_${randomBytes(6).toString('hex')}`;
  const quoted = pg.escapeIdentifier(name);
  const url = withDatabaseName(serverUrl, name);
  const drop = (): Promise<void> =>
    withServer(
      serverUrl,
      async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`)),
    );
  await withServer(serverUrl, (client) => client.query(`CREATE DATABASE ${quoted} TEMPLATE template0`));
  try {
    await migrateDatabase({ url });
    await migrateToo(url);
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    name,
    drop,
    seal: () =>
      withServer(serverUrl, async (client) => {
        await client.query(`ALTER DATABASE ${quoted} ALLOW_CONNECTIONS false`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      }),
  };
}

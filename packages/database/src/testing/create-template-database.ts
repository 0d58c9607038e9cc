import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { withDatabaseName, withServer } from './with-server.js';

export interface TemplateDatabase {
  readonly name: string;
  drop(): Promise<void>;
}

/** Creates and migrates the database that every test database is cloned from. Nobody may stay connected to it. */
export async function createTemplateDatabase(serverUrl: string): Promise<TemplateDatabase> {
  const name = `duework_template_${randomBytes(6).toString('hex')}`;
  const quoted = pg.escapeIdentifier(name);
  await withServer(serverUrl, (client) => client.query(`CREATE DATABASE ${quoted} TEMPLATE template0`));
  await migrateDatabase({ url: withDatabaseName(serverUrl, name) });
  return {
    name,
    drop: () =>
      withServer(
        serverUrl,
        async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`)),
      ),
  };
}

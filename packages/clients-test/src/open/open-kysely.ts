import { fromKysely } from '@duework/sql/adapters';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { OpenedClient } from '../opened-client.js';

interface Tables {
  orders: { id: number };
}

/** Kysely, with a plugin that renames the columns of results, and the fields in them. */
export function openKysely(url: string): OpenedClient {
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 4 }) }),
    plugins: [new CamelCasePlugin()],
  });
  return {
    client: fromKysely(db),
    transact: (run) =>
      db
        .transaction()
        .execute((trx) => run(fromKysely(trx), (id) => trx.insertInto('orders').values({ id }).execute())),
    close: () => db.destroy(),
  };
}

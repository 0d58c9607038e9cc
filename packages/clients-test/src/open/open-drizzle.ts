import { fromDrizzle } from '@duework/sql/adapters';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js';
import pg from 'pg';
import postgres from 'postgres';
import type { OpenedClient } from '../opened-client.js';

/** Drizzle on `pg`. */
export function openDrizzle(url: string): OpenedClient {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const db = drizzle({ client: pool });
  return {
    client: fromDrizzle(db, sql),
    transact: (run) =>
      db.transaction((tx) =>
        run(fromDrizzle(tx, sql), (id) => tx.execute(sql`INSERT INTO orders (id) VALUES (${id})`)),
      ),
    close: () => pool.end(),
  };
}

/** Drizzle on postgres.js. */
export function openDrizzleOnPostgresJs(url: string): OpenedClient {
  const client = postgres(url, { max: 4, onnotice: () => {} });
  const db = drizzleOnPostgresJs({ client });
  return {
    client: fromDrizzle(db, sql),
    transact: (run) =>
      db.transaction((tx) =>
        run(fromDrizzle(tx, sql), (id) => tx.execute(sql`INSERT INTO orders (id) VALUES (${id})`)),
      ),
    close: () => client.end(),
  };
}

import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { env } from './env.js';

export const orders = pgTable('orders', {
  id: serial().primaryKey(),
  email: text().notNull(),
  cents: integer().notNull(),
  receiptSentAt: timestamp('receipt_sent_at', { withTimezone: true }),
});

export const pool = new pg.Pool({ connectionString: env.databaseUrl });
export const db = drizzle({ client: pool });

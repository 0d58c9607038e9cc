import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, serial, text } from 'drizzle-orm/pg-core';

export const orders = pgTable('orders', { id: serial().primaryKey(), email: text().notNull() });
export const db = drizzle(process.env['DATABASE_URL']!);

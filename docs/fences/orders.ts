import { integer, pgTable, text } from 'drizzle-orm/pg-core';

/** The table of orders as Drizzle knows it, for the examples of the documentation. */
export const orders = pgTable('orders', { id: integer().primaryKey(), status: text().notNull() });

import { db } from './db.js';

await db.schema
  .createTable('orders')
  .ifNotExists()
  .addColumn('id', 'serial', (column) => column.primaryKey())
  .addColumn('email', 'text', (column) => column.notNull())
  .addColumn('cents', 'integer', (column) => column.notNull())
  .addColumn('receipt_sent_at', 'timestamptz')
  .execute();
await db.destroy();

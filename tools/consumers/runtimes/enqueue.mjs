// a job in a transaction that is rolled back, and one of each named type in a transaction that commits
import { enqueue } from 'duework';
import pg from 'pg';
import { catalog } from './jobs.mjs';

const types = process.argv.slice(2);
const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
await client.query('BEGIN');
await enqueue(
  client,
  catalog.find((each) => each.type === types[0]),
  { orderId: 1 },
);
await client.query('ROLLBACK');
await client.query('BEGIN');
for (const type of types)
  await enqueue(
    client,
    catalog.find((each) => each.type === type),
    { orderId: 2 },
  );
await client.query('COMMIT');
await client.end();

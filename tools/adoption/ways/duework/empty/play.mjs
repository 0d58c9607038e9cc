import { enqueue } from 'duework';
import pg from 'pg';
import { sendReceipt } from './jobs.mjs';

const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
for (const end of ['ROLLBACK', 'COMMIT']) {
  await client.query('BEGIN');
  const { rows } = await client.query(`INSERT INTO orders (email) VALUES ('ada@example.com') RETURNING id`);
  const orderId = rows[0].id;
  await enqueue(client, sendReceipt, { orderId });
  await client.query(end);
}
process.exit();

import pg from 'pg';
import { boss } from './boss.mjs';

const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
for (const end of ['ROLLBACK', 'COMMIT']) {
  await client.query('BEGIN');
  const { rows } = await client.query(`INSERT INTO orders (email) VALUES ('ada@example.com') RETURNING id`);
  const orderId = rows[0].id;
  await boss.send('send_receipt', { orderId }, { db: { executeSql: (text, values) => client.query(text, values) } });
  await client.query(end);
}
process.exit();

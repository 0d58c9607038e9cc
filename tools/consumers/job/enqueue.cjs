// a job in a transaction that is rolled back, and one in a transaction that commits
const { enqueue } = require('duework');
const pg = require('pg');
const { sendReceipt } = require('./jobs.cjs');

async function main() {
  const client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
  await client.query('BEGIN');
  await enqueue(client, sendReceipt, { orderId: 1 });
  await client.query('ROLLBACK');
  await client.query('BEGIN');
  await enqueue(client, sendReceipt, { orderId: 2 });
  await client.query('COMMIT');
  await client.end();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

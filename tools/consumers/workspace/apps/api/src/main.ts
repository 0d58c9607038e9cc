/** Orders in a transaction of pg. */
import { Client, type ClientConfig } from 'pg';
import { orderReceipt } from './receipts';

const config: ClientConfig = { connectionString: process.env.DATABASE_URL };
const client = new Client(config);
const order = async (): Promise<void> => {
  await client.connect();
  await client.query('BEGIN');
  await orderReceipt(client, 2);
  await client.query('COMMIT');
  await client.end();
};
void order();

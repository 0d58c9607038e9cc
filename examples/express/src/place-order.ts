import { enqueue } from 'duework';
import { fromPg } from 'duework/adapters';
import { chargeCard } from './charge-card.js';
import { sendReceipt } from './jobs/contracts.js';
import { pool } from './pool.js';

/** The order and its receipt's job are written in one transaction: both are there, or neither is. */
export async function placeOrder(email: string, cents: number): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: number }>(
      'INSERT INTO orders (email, cents) VALUES ($1, $2) RETURNING id',
      [email, cents],
    );
    const orderId = rows[0]!.id;
    await enqueue(fromPg(client), sendReceipt, { orderId, email });
    chargeCard(cents);
    await client.query('COMMIT');
    return orderId;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

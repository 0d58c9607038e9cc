// What a team has: a contract, its handler, and a function that enqueues in the transaction of its own write.
import { defineCatalog, defineJob } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { z } from 'zod';

export const sendReceipt = defineJob({
  type: 'send_receipt',
  payload: z.object({ orderId: z.int(), card: z.string() }),
  idempotencyKey: ({ orderId }) => `receipt:${orderId}`,
});

export const catalog = defineCatalog([sendReceipt]);

export async function placeOrder(client, id) {
  await client.query('INSERT INTO orders VALUES ($1)', [id]);
  await enqueue(asQueryable(client), sendReceipt, { orderId: id, card: '4111 1111' });
}

/** A node-postgres client in a transaction. */
export const asQueryable = (client) => ({
  $queryRaw: async ({ text, values }) => (await client.query(text, [...values])).rows,
});

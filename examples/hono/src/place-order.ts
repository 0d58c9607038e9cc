import { enqueue } from 'duework';
import { fromKysely } from 'duework/adapters';
import { chargeCard } from './charge-card.js';
import { db } from './db.js';
import { sendReceipt } from './jobs/contracts.js';

/** The order and its receipt's job are written in one transaction: both are there, or neither is. */
export function placeOrder(email: string, cents: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { id } = await tx.insertInto('orders').values({ email, cents }).returning('id').executeTakeFirstOrThrow();
    await enqueue(fromKysely(tx), sendReceipt, { orderId: id, email });
    chargeCard(cents);
    return id;
  });
}

import { Prisma } from '@duework/database';

/** Locks the row of a customer until the transaction ends; another that wants it waits. */
export async function lockCustomer(tx: Prisma.TransactionClient, email: string): Promise<void> {
  await tx.$queryRaw(Prisma.sql`SELECT id FROM shop.users WHERE email = ${email} FOR UPDATE`);
}

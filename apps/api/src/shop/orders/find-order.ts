import type { Prisma } from '@duework/database';
import { ApiError } from '@duework/http';
import { orderParts, presentOrder } from './present-order.js';

/** The number of an order in a path. Throws `not_found`, because a text that is not a number names no order. */
export function parseOrderId(text: string | undefined): number {
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : Infinity;
  if (id > 2_147_483_647) throw notFound(text);
  return id;
}

/** One order, as the API shows it. Throws `not_found`. */
export async function findOrder(db: Prisma.TransactionClient, id: number): Promise<ReturnType<typeof presentOrder>> {
  const found = await db.order.findUnique({ where: { id }, include: orderParts });
  if (found === null) throw notFound(String(id));
  return presentOrder(found);
}

function notFound(id: string | undefined): ApiError {
  return new ApiError('not_found', `There is no order ${id}.`);
}

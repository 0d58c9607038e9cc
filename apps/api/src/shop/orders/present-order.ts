import { z } from '@hono/zod-openapi';
import type { Prisma } from '@duework/database';

const time = z.iso.datetime().openapi({ example: '2026-01-31T09:00:00.000Z' });

export const order = z
  .object({
    id: z.int(),
    status: z.enum(['PENDING', 'PAID', 'CANCELLED']),
    currency: z.string(),
    customer: z.object({ id: z.int(), name: z.string(), email: z.string() }),
    items: z.array(
      z.object({ line: z.int(), description: z.string(), quantity: z.int(), unitCents: z.int(), totalCents: z.int() }),
    ),
    totalCents: z.int(),
    createdAt: time,
    paidAt: time.nullable(),
  })
  .openapi('Order');

/** The relations with which an order has to be read to be shown. */
export const orderParts = { user: true, items: { orderBy: { line: 'asc' } } } as const satisfies Prisma.OrderInclude;

/** An order as the API shows it. */
export function presentOrder({
  id,
  status,
  currency,
  user,
  items,
  createdAt,
  paidAt,
}: Prisma.OrderGetPayload<{ include: typeof orderParts }>) {
  const lines = items.map(({ line, description, quantity, unitCents }) => ({
    line,
    description,
    quantity,
    unitCents,
    totalCents: quantity * unitCents,
  }));
  return {
    id,
    status,
    currency,
    customer: { id: user.id, name: user.name, email: user.email },
    items: lines,
    totalCents: lines.reduce((total, { totalCents }) => total + totalCents, 0),
    createdAt,
    paidAt,
  };
}

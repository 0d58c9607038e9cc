import { eq } from 'drizzle-orm';
import Fastify from 'fastify';
import { z } from 'zod';
import { CardRefusedError } from './charge-card.js';
import { db, orders, pool } from './db.js';
import { env } from './env.js';
import { placeOrder } from './place-order.js';

const Order = z.object({ email: z.email(), cents: z.int().positive() });

const app = Fastify();
app.addHook('onClose', () => pool.end());

app.post('/orders', async (request, reply) => {
  const order = Order.safeParse(request.body);
  if (!order.success) return reply.code(422).send({ error: z.prettifyError(order.error) });
  return reply.code(201).send({ id: await placeOrder(order.data.email, order.data.cents) });
});

app.get<{ Params: { id: string } }>('/orders/:id', async (request, reply) => {
  const [order] = await db
    .select({ id: orders.id, receiptSentAt: orders.receiptSentAt })
    .from(orders)
    .where(eq(orders.id, Number(request.params.id)));
  return order ?? reply.code(404).send({ error: 'There is no such order.' });
});

app.setErrorHandler((error, _request, reply) => {
  if (error instanceof CardRefusedError) return reply.code(402).send({ error: error.message });
  return reply.send(error);
});

console.log(await app.listen({ port: env.port }));
process.once('SIGTERM', () => void app.close());

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';
import { CardRefusedError } from './charge-card.js';
import { db } from './db.js';
import { env } from './env.js';
import { placeOrder } from './place-order.js';

const Order = z.object({ email: z.email(), cents: z.int().positive() });

const app = new Hono();

app.post('/orders', async (c) => {
  const order = Order.safeParse(await c.req.json());
  if (!order.success) return c.json({ error: z.prettifyError(order.error) }, 422);
  return c.json({ id: await placeOrder(order.data.email, order.data.cents) }, 201);
});

app.get('/orders/:id', async (c) => {
  const order = await db
    .selectFrom('orders')
    .select(['id', 'receipt_sent_at as receiptSentAt'])
    .where('id', '=', Number(c.req.param('id')))
    .executeTakeFirst();
  return order === undefined ? c.json({ error: 'There is no such order.' }, 404) : c.json(order);
});

app.onError((error, c) => {
  if (error instanceof CardRefusedError) return c.json({ error: error.message }, 402);
  throw error;
});

const server = serve({ fetch: app.fetch, port: env.port }, () => console.log(`http://localhost:${env.port}`));
process.once('SIGTERM', () => server.close(() => void db.destroy()));

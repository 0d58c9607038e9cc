import express, { type ErrorRequestHandler } from 'express';
import { z } from 'zod';
import { CardRefusedError } from './charge-card.js';
import { env } from './env.js';
import { placeOrder } from './place-order.js';
import { pool } from './pool.js';

const Order = z.object({ email: z.email(), cents: z.int().positive() });

const app = express();
app.use(express.json());

app.post('/orders', async (req, res) => {
  const order = Order.safeParse(req.body);
  if (!order.success) return res.status(422).json({ error: z.prettifyError(order.error) });
  return res.status(201).json({ id: await placeOrder(order.data.email, order.data.cents) });
});

app.get('/orders/:id', async (req, res) => {
  const { rows } = await pool.query('SELECT id, receipt_sent_at AS "receiptSentAt" FROM orders WHERE id = $1', [
    Number(req.params.id),
  ]);
  return rows.length === 0 ? res.status(404).json({ error: 'There is no such order.' }) : res.json(rows[0]);
});

const onError: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof CardRefusedError) res.status(402).json({ error: error.message });
  else next(error);
};
app.use(onError);

const server = app.listen(env.port, () => console.log(`http://localhost:${env.port}`));
process.once('SIGTERM', () => server.close(() => void pool.end()));

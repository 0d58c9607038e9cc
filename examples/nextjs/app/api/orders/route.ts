import { z } from 'zod';
import { CardRefusedError } from '../../../lib/charge-card';
import { placeOrder } from '../../../lib/place-order';

const Order = z.object({ email: z.email(), cents: z.int().positive() });

export async function POST(request: Request): Promise<Response> {
  const order = Order.safeParse(await request.json());
  if (!order.success) return Response.json({ error: z.prettifyError(order.error) }, { status: 422 });
  try {
    return Response.json({ id: await placeOrder(order.data) }, { status: 201 });
  } catch (error) {
    if (error instanceof CardRefusedError) return Response.json({ error: error.message }, { status: 402 });
    throw error;
  }
}

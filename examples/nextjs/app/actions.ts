'use server';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { placeOrder } from '../lib/place-order';

const Order = z.object({ email: z.email(), cents: z.coerce.number().int().positive() });

/** A server action writes in one transaction as a route handler does. */
export async function order(form: FormData): Promise<void> {
  const id = await placeOrder(Order.parse(Object.fromEntries(form)));
  redirect(`/api/orders/${id}`);
}

import { defineJob, exponential } from '@duework/contracts';
import { z } from 'zod';

/**
 * Mails a customer that an order has come in. The provider takes five mails at once, and customers take turns, so that
 * one with thousands of orders makes nobody wait.
 */
export const confirmOrder = defineJob({
  type: 'confirm_order',
  payload: z.object({ orderId: z.int().positive(), customerId: z.int().positive() }),
  retry: exponential({ base: '10s', cap: '1h' }),
  timeout: '30s',
  tenant: 'customerId',
  limits: [{ name: 'smtp', max: 5 }],
  idempotencyKey: ({ orderId }) => `confirmation:${orderId}`,
});

import { createHash } from 'node:crypto';
import { defineJob, exponential } from '@duework/contracts';
import { z } from 'zod';

/** Posts a signed event to a customer's address; never to a private address unless the worker's settings allow it. */
export const deliverWebhook = defineJob({
  type: 'deliver_webhook',
  payload: z.object({
    eventId: z.string().min(1).max(128),
    url: z.url({ protocol: /^https?$/ }).max(2048),
    event: z.string().min(1).max(128),
    body: z.record(z.string(), z.json()),
  }),
  retry: exponential({ base: '10s', cap: '2h' }),
  timeout: '30s',
  // a receiver knows a repeated event by its id, but nobody would miss a lost one
  effects: 'at_least_once',
  // One event goes to many addresses, and an address may be longer than a key.
  idempotencyKey: ({ eventId, url }) =>
    `webhook:${eventId}:${createHash('sha256').update(url).digest('hex').slice(0, 32)}`,
});

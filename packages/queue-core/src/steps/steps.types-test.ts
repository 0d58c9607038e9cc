/** Compiled only: the handler of a durable contract has steps, and only that one does. */
import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';
import type { Handlers } from '../run/handler.js';

const payload = z.object({ id: z.int() });
const order = defineJob({ type: 'order', payload, durable: true });
const mail = defineJob({ type: 'mail', payload });
const catalog = defineCatalog([order, mail]);

export const handlers: Handlers<typeof catalog> = {
  order: async ({ step, payload: { id }, once }) => {
    (await step('a', () => id)) satisfies number;
    (await step('b', async () => '2026-01-14', { result: z.coerce.date<string>() })) satisfies Date;
    await step('c', () => once('mail', () => {}));
  },
  // @ts-expect-error its contract is not durable
  mail: ({ step }) => void step,
};

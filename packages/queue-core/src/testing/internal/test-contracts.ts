import { defineCatalog, defineJob, delays, fixed } from '@duework/contracts';
import { z } from 'zod';

/** A job that says what it was told. */
export const echo = defineJob({ type: 'echo', payload: z.object({ n: z.int() }), retry: fixed('1ms'), lease: '2s' });

/** A job with a key of its own business. */
export const charge = defineJob({
  type: 'charge',
  payload: z.object({ invoice: z.int() }),
  idempotencyKey: ({ invoice }) => `charge:${invoice}`,
  retry: delays(['1h']),
});

export const testCatalog = defineCatalog([echo, charge]);

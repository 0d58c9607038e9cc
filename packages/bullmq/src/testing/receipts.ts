import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { z } from 'zod';

/** A receipt that is mailed at most once, however often its job is tried. */
export const receipt = defineJob({
  type: 'receipt',
  payload: z.object({ n: z.int() }),
  idempotencyKey: ({ n }) => `receipt:${n}`,
  retry: fixed('1ms'),
  lease: '2s',
  timeout: '1m',
});
export const receipts = defineCatalog([receipt]);

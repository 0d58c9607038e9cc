import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { z } from 'zod';

/** The jobs in the dumps of releases. Their payloads are never changed: a dump holds them as they were. */
export const step = defineJob({ type: 'step', payload: z.object({ n: z.int() }), retry: fixed('1h'), maxAttempts: 3 });
export const keyed = defineJob({
  type: 'keyed',
  payload: z.object({ n: z.int() }),
  idempotencyKey: ({ n }) => `keyed:${n}`,
  retry: fixed('1ms'),
  lease: '1s',
});
export const releaseCatalog = defineCatalog([step, keyed]);

import { defineJob, delays } from '@duework/contracts';
import { z } from 'zod';

/** Deletes expired sessions and old temporary files, for one day. */
export const cleanupNightly = defineJob({
  type: 'cleanup_nightly',
  payload: z.object({ day: z.iso.date() }),
  retry: delays(['1m', '5m', '30m', '2h']),
  maxAttempts: 5,
  timeout: '10m',
  lease: '1m',
  priority: 9,
  idempotencyKey: ({ day }) => `cleanup:${day}`,
});

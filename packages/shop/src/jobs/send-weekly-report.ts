import { defineJob, quadratic } from '@duework/contracts';
import { z } from 'zod';

/** Mails a user what they bought from `from` up to and including `to`. */
export const sendWeeklyReport = defineJob({
  type: 'send_weekly_report',
  payload: z
    .object({ userId: z.int().positive(), from: z.iso.date(), to: z.iso.date() })
    .refine(({ from, to }) => from <= to, { error: '`from` is not after `to`', path: ['to'] }),
  retry: quadratic({ unit: '10s', cap: '1h' }),
  timeout: '1m',
  idempotencyKey: ({ userId, from }) => `weekly_report:${userId}:${from}`,
});

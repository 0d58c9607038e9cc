import type { BulkRequest } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { reason } from '../http/requests/reason-body.js';

const time = z.iso.datetime({ offset: true, error: 'Not an ISO 8601 time with a zone, such as 2026-01-31T09:00:00Z' });

const shared = {
  filter: z
    .string()
    .max(4_000)
    .describe('Which jobs, in the language of filters. Without `status:` it means those that the verb is for.')
    .openapi({ example: 'status:dead type:send_invoice error:ECONNREFUSED' }),
  perSecond: z.int().min(1).max(100_000).optional().describe('How many jobs a second at most; 5,000 unless given.'),
  atMost: z.int().min(0).optional().describe('Refuses to begin when more jobs fit: what the preview said.'),
  reason,
};

/** The body that asks for a bulk action, or for the preview of one. */
export const newBulkAction = z
  .discriminatedUnion('verb', [
    z.strictObject({
      verb: z.literal('retry'),
      effectsHappened: z
        .boolean()
        .optional()
        .describe('Of jobs that are dead with `effect_unknown`, which are refused unless it is given.'),
      priority: z
        .int()
        .min(0)
        .max(9)
        .optional()
        .describe('Their new priority: with 9 they run behind whatever else is due.'),
      ...shared,
    }),
    z.strictObject({ verb: z.enum(['cancel', 'free_key', 'delete']), ...shared }),
    z.strictObject({
      verb: z.literal('reschedule'),
      runAt: time,
      spreadSeconds: z.int().min(0).max(604_800).optional().describe('Spreads the jobs over this long behind `runAt`.'),
      ...shared,
    }),
    z.strictObject({ verb: z.literal('change_priority'), priority: z.int().min(0).max(9), ...shared }),
    z.strictObject({ verb: z.literal('change_queue'), queue: z.string().min(1).max(63), ...shared }),
    z.strictObject({
      verb: z.literal('edit_payload'),
      path: z.array(z.string().max(200)).min(1).max(20).describe('The names on the way to the field.'),
      value: z.unknown().optional().describe('Its new value; without it the field is removed.'),
      ...shared,
    }),
  ])
  .openapi('NewBulkAction');

/** What a body asks for, without its reason. */
export function toBulkRequest({ reason: _, ...body }: z.output<typeof newBulkAction>): BulkRequest {
  if (body.verb !== 'reschedule') return body as BulkRequest;
  const { runAt, spreadSeconds, ...same } = body;
  return {
    ...same,
    runAt: new Date(runAt),
    ...(spreadSeconds === undefined ? {} : { spreadMs: spreadSeconds * 1_000 }),
  };
}

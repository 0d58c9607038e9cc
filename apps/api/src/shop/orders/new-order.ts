import { z } from '@hono/zod-openapi';
import { isTimeZone } from '@duework/schedules';
import { plainText } from '@duework/http';

/** The limit of an `integer` column. A hundred lines of that stay far below what a number can count exactly (2^53). */
const MAX_CENTS = 2_147_483_647;

const item = z
  .strictObject({
    description: plainText(200),
    quantity: z.int().min(1).max(MAX_CENTS),
    unitCents: z.int().min(0).max(MAX_CENTS),
  })
  .refine(({ quantity, unitCents }) => quantity * unitCents <= MAX_CENTS, {
    error: `A line is at most ${MAX_CENTS} cents`,
    path: ['quantity'],
  });

/** The body of a new order. */
export const newOrder = z
  .strictObject({
    customer: z.strictObject({
      name: plainText(200),
      // One person is one user, however they write their address.
      email: z.string().trim().toLowerCase().pipe(z.email().max(254)),
      timeZone: z
        .string()
        .refine(isTimeZone, 'There is no such time zone')
        .optional()
        .describe('An IANA zone: where Monday begins for the weekly report.'),
    }),
    currency: z.string().regex(/^[A-Z]{3}$/, 'Three capital letters (ISO 4217), such as EUR'),
    items: z.array(item).min(1).max(100),
  })
  .openapi('NewOrder');

export type NewOrder = z.output<typeof newOrder>;

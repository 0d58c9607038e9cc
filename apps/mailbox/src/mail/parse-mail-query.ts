import { z } from 'zod';
import type { MailQuery } from './mail-query.js';
import { parseMailId } from './parse-mail-id.js';

/** Mails on one page of the list, and the default of the API. */
export const PAGE_SIZE = 200;

const text = z.string().max(1000).optional();

const schema = z.object({
  to: text,
  messageId: text,
  subject: text,
  q: text,
  isDuplicate: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .optional(),
  before: z
    .string()
    .refine((id) => parseMailId(id) !== null, 'must be the id of a mail')
    .optional(),
  limit: z.coerce
    .number('must be a number from 1 to 1000')
    .int('must be a whole number')
    .min(1, 'must be a number from 1 to 1000')
    .max(1000, 'must be a number from 1 to 1000')
    .default(PAGE_SIZE),
});

export type MailQueryReading =
  | { readonly ok: true; readonly query: MailQuery }
  | { readonly ok: false; readonly reason: string };

/** Reads the query of a list from a URL; an empty condition counts as none. When it refuses, it says which is wrong. */
export function parseMailQuery(parameters: Readonly<Record<string, string>>): MailQueryReading {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, query: parsed.data };
  return {
    ok: false,
    reason: parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`).join('; '),
  };
}

import { isPlainName } from '@duework/sql/errors';
import { z } from '@hono/zod-openapi';

/**
 * One line of text, 1 to `max` characters after trimming. Control characters and half surrogate pairs are refused:
 * PostgreSQL cannot store some of them, and a line break has no place in a name or a mail header; and so are the signs that
 * turn the direction of text, by which a name would look like another.
 */
export function plainText(max: number) {
  return z.string().trim().min(1).max(max).refine(isPlainName, NOT_A_NAME);
}

/** A filter of a list: it may be empty and is not trimmed; the same characters are refused. */
export function plainFilter(max: number) {
  return z.string().max(max).refine(isPlain, NOT_PLAIN);
}

const NOT_A_NAME = 'It contains a control character, half a surrogate pair or a sign that turns the direction of text';
const NOT_PLAIN = 'It contains a control character or half a surrogate pair';

function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}

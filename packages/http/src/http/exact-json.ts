import { randomUUID } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiContext } from '../api.js';

/**
 * Begins a text that stands for a number. It is another in each process, and no answer shows it: whoever writes a text cannot
 * make it look like such a number, wherever that text is stored.
 */
const MARK = `number ${randomUUID()} `;
const MARKED = new RegExp(`"${MARK}(-?[\\d.eE+-]+)"`, 'g');

/** A number, by its digits, that JavaScript may not hold: a text that `answerExactly` writes as that number. */
export const markNumber = (digits: string): string => MARK + digits;

/** JSON in which marked numbers have all their digits. */
export const writeExactly = (body: unknown): string => JSON.stringify(body).replace(MARKED, '$1');

/** Answers with such JSON. */
export function answerExactly(c: ApiContext, body: object, status: ContentfulStatusCode = 200): Response {
  return c.body(writeExactly(body), status, { 'Content-Type': 'application/json' });
}

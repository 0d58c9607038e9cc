import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiContext } from '../api.js';

/** Begins a text that stands for a number: what is stored has no NUL. */
const MARK = '\0';
const MARKED = /"\\u0000(-?[\d.]+)"/g;

/** A number, by its digits, that JavaScript may not hold: a text that `answerExactly` writes as that number. */
export const markNumber = (digits: string): string => MARK + digits;

/** Answers with JSON in which marked numbers have all their digits. */
export function answerExactly(c: ApiContext, body: object, status: ContentfulStatusCode = 200): Response {
  const json = JSON.stringify(body).replace(MARKED, '$1');
  return c.body(json, status, { 'Content-Type': 'application/json' });
}

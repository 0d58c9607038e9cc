import { z } from '@hono/zod-openapi';
import type { Act } from '@duework/queue-core';
import { actOf } from '../../access/act-of.js';
import type { ApiContext } from '../../api.js';
import { BODY_PROBLEMS } from '../../openapi/problems.js';
import { parseBody } from './parse-body.js';
import { parseQuery } from './parse-query.js';
import { plainText } from './plain-text.js';
import { readJsonBody } from './read-json-body.js';

/** Why an operator acts; the audit keeps it. */
export const reason = plainText(1_000).optional().describe('Why, for the audit.');

/** The body of what is told nothing but why. */
export const reasonRequest = z.strictObject({ reason }).openapi('Reason');

/** What a route declares whose body, if it has one, says why. */
export const reasonBody = {
  request: { body: { required: false, content: { 'application/json': { schema: reasonRequest } } } },
  problems: BODY_PROBLEMS.filter((code) => code !== 'empty_body'),
  limitBytes: 16 * 1024,
};

/** Who acts and why, of a route with `reasonBody`. */
export async function readAct(c: ApiContext): Promise<Act> {
  return actOf(c, parseBody(reasonRequest, await readJsonBody(c, {})).reason);
}

/** The query of a route whose body is something else, or that has none. */
export const reasonParameter = {
  name: 'reason',
  in: 'query' as const,
  description: 'Why, for the audit.',
  schema: { type: 'string' as const, maxLength: 1_000 },
};

/** Who acts and why, of a route with `reasonParameter`. */
export function readActFromQuery(c: ApiContext): Act {
  return actOf(c, parseQuery(reasonRequest, c).reason);
}

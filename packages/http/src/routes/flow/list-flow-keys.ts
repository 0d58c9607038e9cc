import { z } from '@hono/zod-openapi';
import { listFlowKeys as list } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { ruleOf, ruleParameters } from '../../flow/flow-requests.js';
import { flowKeyPage } from '../../flow/present-flow.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';

const MAX_LIMIT = 200;
const query = z.strictObject({
  ...pageQuery(MAX_LIMIT, 50),
  cursor: plainFilter(400).optional(),
  value: plainFilter(200).optional(),
  busy: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});

const filterParameters = [
  {
    name: 'value',
    in: 'query' as const,
    description: 'Only keys whose value begins with it.',
    schema: { type: 'string' as const },
  },
  {
    name: 'busy',
    in: 'query' as const,
    description: 'Only keys that somebody holds, at which somebody waits, or that let nobody in.',
    schema: { type: 'boolean' as const },
  },
];

/** `GET /v1/flow/{kind}/{name}/keys`: who holds each key of a rule, and how many wait. */
export function listFlowKeys({ db }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/flow/{kind}/{name}/keys',
      operationId: 'listFlowKeys',
      summary: 'List the keys of a flow rule, with who holds them and how many wait',
      parameters: [...ruleParameters, ...pageParameters(MAX_LIMIT, 50), ...filterParameters],
      responses: {
        200: answer('One page, by the keys.', flowKeyPage),
        ...problems('flow_rule_not_found', 'invalid_query', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { limit, cursor, value, busy } = parseQuery(query, c);
      return c.json(await list(db, ruleOf(c), { limit, after: cursor ?? null, value, isBusy: busy }));
    },
  };
}

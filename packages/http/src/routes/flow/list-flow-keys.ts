import { z } from '@hono/zod-openapi';
import { listFlowKeys as list } from '@duework/operate';
import { lacksScope } from '../../access/lacks-scope.js';
import { maySeePayloads } from '../../access/shown/withhold.js';
import type { ApiParts } from '../../api.js';
import { ruleOf, ruleParameters } from '../../flow/flow-requests.js';
import { flowKeyPage } from '../../flow/present-flow.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_FLOW } from '../../over-queue/refusals.js';
import { isFirst, listed } from '../../shards/plans/merged.js';

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

/**
 * `GET /v1/flow/{kind}/{name}/keys`: who holds each key of a rule, and how many wait. Keys that are by a value of the payload
 * are for those who may read payloads.
 */
export function listFlowKeys({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_FLOW,
    shards: listed({
      rows: 'keys',
      usualLimit: 50,
      isBefore: isFirst('key'),
      cursorBehind: (row) => row['key'] as string,
      isTagged: true,
      mayBeUnknown: true,
    }),
    doc: {
      method: 'get',
      path: '/v1/flow/{kind}/{name}/keys',
      operationId: 'listFlowKeys',
      summary: 'List the keys of a flow rule, with who holds them and how many wait',
      description: 'Keys that are by a value of the payload are listed with the scope `payloads`.',
      parameters: [...ruleParameters, ...pageParameters(MAX_LIMIT, 50), ...filterParameters],
      responses: {
        200: answer('One page, by the keys.', flowKeyPage),
        ...problems('flow_rule_not_found', 'invalid_query', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { limit, cursor, value, busy } = parseQuery(query, c);
      const principal = c.get('principal');
      const isShown = maySeePayloads(principal);
      // where a page begins, or what is found, tells which keys there are
      const asked = isShown ? { after: cursor ?? null, value, isBusy: busy } : {};
      const page = await list(db, ruleOf(c), { limit, ...asked });
      if (!isShown && page.keys.some(({ value }) => value !== null)) throw lacksScope(principal, 'payloads');
      return c.json(page);
    },
  };
}

import { ORDERS } from '@duework/shards/merges';
import type { z } from '@hono/zod-openapi';
import { listFlowRules as list, showFlowRule as show } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { ruleOf, ruleParameters } from '../../flow/flow-requests.js';
import { flowRule, flowRuleList } from '../../flow/present-flow.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_FLOW } from '../../over-queue/refusals.js';
import { ruleOfAll, listTagged } from '../../shards/merges.js';
import { merged } from '../../shards/plans/merged.js';

/** `GET /v1/flow`: the limits, rates, orders, tenants and breakers. */
export function listFlowRules({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_FLOW,
    shards: merged(listTagged('rules', ORDERS.rules), {
      tagged: 'rules',
      says: 'A rule holds in each shard by itself: what it lets in altogether is the sum.',
    }),
    doc: {
      method: 'get',
      path: '/v1/flow',
      operationId: 'listFlowRules',
      summary: 'List the rules of flow control',
      responses: { 200: answer('By their names.', flowRuleList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ rules: await list(db) });
    },
  };
}

/** `GET /v1/flow/{kind}/{name}`: one of them. */
export function showFlowRule({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_FLOW,
    shards: merged<z.output<typeof flowRule>>(ruleOfAll),
    doc: {
      method: 'get',
      path: '/v1/flow/{kind}/{name}',
      operationId: 'showFlowRule',
      summary: 'Read a rule of flow control',
      parameters: ruleParameters,
      responses: {
        200: answer('What holds, how many jobs run by it, and how many wait.', flowRule),
        ...problems('flow_rule_not_found', ...DATABASE_PROBLEMS),
      },
    },
    handle: async (c) => c.json(await show(db, ruleOf(c))),
  };
}

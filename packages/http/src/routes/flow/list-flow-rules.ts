import { listFlowRules as list, showFlowRule as show } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { ruleOf, ruleParameters } from '../../flow/flow-requests.js';
import { flowRule, flowRuleList } from '../../flow/present-flow.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_FLOW } from '../../over-queue/refusals.js';
import { merged } from '../../shards/plans/merged.js';
import { listTagged } from '../../shards/merges/merge-figures.js';
import { by } from '../../shards/merges/sums.js';
import { mergeRule } from '../../shards/merges/merge-flow.js';

/** `GET /v1/flow`: the limits, rates, orders, tenants and breakers. */
export function listFlowRules({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_FLOW,
    shards: merged(listTagged('rules', by('name', 'shard')), {
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
    shards: merged(mergeRule),
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

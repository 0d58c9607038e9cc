import { listFlowRules as list } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { flowRuleList } from '../../flow/present-flow.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';

/** `GET /v1/flow`: the limits, rates, orders, tenants and breakers. */
export function listFlowRules({ db }: ApiParts): Route {
  return {
    scope: 'read',
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

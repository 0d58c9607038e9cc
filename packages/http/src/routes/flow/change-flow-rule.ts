import { mergeFlowPreview } from '@duework/shards/merges';
import type { z } from '@hono/zod-openapi';
import { changeFlowRule as change, previewFlowRule as preview } from '@duework/operate';
import { actOf } from '../../access/act-of.js';
import type { ApiParts } from '../../api.js';
import { changeRequest, ruleOf, ruleParameters, toChange } from '../../flow/flow-requests.js';
import { flowPreview, flowRule } from '../../flow/present-flow.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_FLOW } from '../../over-queue/refusals.js';
import { ruleOfAll } from '../../shards/merges.js';
import { everywhere, merged } from '../../shards/plans/merged.js';

const request = { body: { required: true, content: { 'application/json': { schema: changeRequest } } } };
const refusals = problems('flow_rule_not_found', 'invalid_option', ...BODY_PROBLEMS, ...DATABASE_PROBLEMS);

/** `PATCH /v1/flow/{kind}/{name}`: changes what holds of a rule, whatever a deploy declares, until it is taken back. */
export function changeFlowRule({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: NO_FLOW,
    shards: everywhere<z.output<typeof flowRule>>(ruleOfAll),
    doc: {
      method: 'patch',
      path: '/v1/flow/{kind}/{name}',
      operationId: 'changeFlowRule',
      summary: 'Change a limit, a rate or a breaker',
      parameters: ruleParameters,
      request,
      responses: { 200: answer('The rule.', flowRule), ...refusals },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const { change: given, reason } = parseBody(changeRequest, await readJsonBody(c));
      const act = actOf(c, reason);
      return c.json(await retryConflicts(databaseUrl, () => change(db, ruleOf(c), toChange(given), act)));
    },
  };
}

/** `POST /v1/flow/{kind}/{name}/preview`: what such a change would do, without doing it. */
export function previewFlowRule({ db }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: NO_FLOW,
    shards: merged<z.output<typeof flowPreview>>(mergeFlowPreview),
    doc: {
      method: 'post',
      path: '/v1/flow/{kind}/{name}/preview',
      operationId: 'previewFlowRule',
      summary: 'See what a change of a flow rule would do',
      parameters: ruleParameters,
      request,
      responses: {
        200: answer('How many wait and run, would be let in, and would be too many.', flowPreview),
        ...refusals,
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const { change: given } = parseBody(changeRequest, await readJsonBody(c));
      return c.json(await preview(db, ruleOf(c), toChange(given)));
    },
  };
}

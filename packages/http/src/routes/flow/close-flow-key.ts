import type { z } from '@hono/zod-openapi';
import type { Duration } from '@duework/contracts';
import { closeKey, openKey } from '@duework/operate';
import { actOf } from '../../access/act-of.js';
import type { ApiParts } from '../../api.js';
import { closeRequest, keyOf, openRequest, ruleParameters } from '../../flow/flow-requests.js';
import { flowKey } from '../../flow/present-flow.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_FLOW } from '../../over-queue/refusals.js';
import { keyOfAll } from '../../shards/merges.js';
import { everywhere } from '../../shards/plans/merged.js';

/** `POST /v1/flow/{kind}/{name}/close`: nothing more is let in by the rule, or by one of its keys, for a while. */
export function closeFlowKey({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: NO_FLOW,
    shards: everywhere<z.output<typeof flowKey>>(keyOfAll),
    doc: {
      method: 'post',
      path: '/v1/flow/{kind}/{name}/close',
      operationId: 'closeFlowKey',
      summary: 'Close a flow rule, or one of its keys, for a while',
      parameters: ruleParameters,
      request: { body: { required: true, content: { 'application/json': { schema: closeRequest } } } },
      responses: {
        200: answer('The key.', flowKey),
        ...problems('flow_rule_not_found', 'invalid_option', ...BODY_PROBLEMS, ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const body = parseBody(closeRequest, await readJsonBody(c));
      const act = actOf(c, body.reason);
      const close = () => closeKey(db, keyOf(c, body.value), body.for as Duration, act);
      return c.json(await retryConflicts(databaseUrl, close));
    },
  };
}

/** `POST /v1/flow/{kind}/{name}/open`: opens it at once; a breaker forgets what has failed. */
export function openFlowKey({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: NO_FLOW,
    shards: everywhere<z.output<typeof flowKey>>(keyOfAll),
    doc: {
      method: 'post',
      path: '/v1/flow/{kind}/{name}/open',
      operationId: 'openFlowKey',
      summary: 'Open a flow rule that is closed, or one of its keys',
      parameters: ruleParameters,
      request: { body: { required: false, content: { 'application/json': { schema: openRequest } } } },
      responses: {
        200: answer('The key.', flowKey),
        ...problems('flow_rule_not_found', 'invalid_option', ...reasonBody.problems, ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const body = parseBody(openRequest, await readJsonBody(c, {}));
      const act = actOf(c, body.reason);
      return c.json(await retryConflicts(databaseUrl, () => openKey(db, keyOf(c, body.value), act)));
    },
  };
}

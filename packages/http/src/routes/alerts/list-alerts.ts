import { mergeAlerts } from '@duework/shards/merges';
import type { z } from '@hono/zod-openapi';
import { listAlerts as list } from '@duework/operate';
import { alertList } from '../../operate/present-alerts.js';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_ALERTS } from '../../over-queue/refusals.js';
import { merged } from '../../shards/plans/merged.js';

/** `GET /v1/alerts`: what is on, and of what nobody is told. */
export function listAlerts({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_ALERTS,
    shards: merged<z.output<typeof alertList>>(mergeAlerts, { tagged: 'alerts' }),
    doc: {
      method: 'get',
      path: '/v1/alerts',
      operationId: 'listAlerts',
      summary: 'List the alerts that are on',
      responses: { 200: answer('The gravest first.', alertList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(await list(db));
    },
  };
}

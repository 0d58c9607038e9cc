import { listAlerts as list } from '@duework/operate';
import { alertList } from '../../operate/present-alerts.js';
import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';

/** `GET /v1/alerts`: what is on, and of what nobody is told. */
export function listAlerts({ db }: ApiParts): Route {
  return {
    scope: 'read',
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

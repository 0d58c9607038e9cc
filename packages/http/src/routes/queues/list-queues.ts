import { readQueues } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { queueList } from '../../operate/present-figures.js';

/** `GET /v1/queues`: what waits and runs, by queue and type, and what happened within the last five minutes. */
export function listQueues({ db }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/queues',
      operationId: 'listQueues',
      summary: 'List the queues and types with their figures of now',
      responses: { 200: answer('By queue and type.', queueList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ queues: await readQueues(db) });
    },
  };
}

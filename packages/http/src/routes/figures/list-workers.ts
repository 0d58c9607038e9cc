import { readWorkers } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { workerList } from '../../operate/present-worker.js';

/** `GET /v1/workers`: the workers that live, and what each one runs. */
export function listWorkers({ db }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/workers',
      operationId: 'listWorkers',
      summary: 'List the workers that live',
      responses: { 200: answer('By name.', workerList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ workers: await readWorkers(db) });
    },
  };
}

import { readUnserved } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { unservedList } from '../../operate/present-unserved.js';

/** `GET /v1/unserved`: what is due, and no live worker can run. */
export function listUnserved({ db }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/unserved',
      operationId: 'listUnserved',
      summary: 'List the types that are due and that no live worker can run',
      responses: {
        200: answer('At most 20, what waits longest first; empty: workers can run all that is due.', unservedList),
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      return c.json({ unserved: await readUnserved(db) });
    },
  };
}

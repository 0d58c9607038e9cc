import { readUnread } from '@duework/operate';
import type { ApiParts, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { unreadList } from '../../operate/present-unread.js';

/** `GET /v1/unread`: what is due, and no live worker can run. */
export function listUnread({ db }: ApiParts): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/unread',
      operationId: 'listUnread',
      summary: 'List the types that are due and that no live worker can run',
      responses: {
        200: answer('At most 20, what waits longest first; empty: workers can run all that is due.', unreadList),
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      return c.json({ unread: await readUnread(db) });
    },
  };
}

import type { Route } from '../../api.js';
import { problems } from '../../openapi/problems.js';
import { answerConsolePage } from '../../pages/answer-console-page.js';

/**
 * `GET /console`: the console. It does not redirect to `/console/`, which some frameworks, Next.js among them, redirect to
 * the address without the slash.
 */
export function showConsolePage(): Route {
  return {
    scope: 'public',
    doc: {
      method: 'get',
      path: '/console',
      operationId: 'showConsole',
      summary: 'The console, for people',
      responses: {
        200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
        ...problems(),
      },
    },
    handle: (c) => answerConsolePage(c, 'console/'),
  };
}

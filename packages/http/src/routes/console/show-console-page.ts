import { problems } from '../../openapi/problems.js';
import { answerConsolePage } from '../../pages/answer-console-page.js';
import type { QueueRoute } from '../../queue-route.js';

/**
 * `GET /console`: the console. It does not redirect to `/console/`, which some frameworks, Next.js among them, redirect to
 * the address without the slash.
 */
export function showConsolePage(): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
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

import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

/** `GET /openapi.json`: this API as an OpenAPI 3.1 document, which `readDocument` makes from the routes and contracts. */
export function showOpenapi(readDocument: () => object): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/openapi.json',
      operationId: 'showOpenapi',
      summary: 'This document',
      responses: {
        200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
        ...problems(),
      },
    },
    handle: (c) => c.json(readDocument()),
  };
}

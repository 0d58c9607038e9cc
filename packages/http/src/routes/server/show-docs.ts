import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

/** Scripts are files of this server alone. Swagger UI draws with styles in elements, which have no other way to be allowed. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /docs`: this API as a page, made from its document; requests can be tried there with a key. */
export function showDocs(): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/docs',
      operationId: 'showDocs',
      summary: 'This document as a page',
      responses: {
        200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
        ...problems(),
      },
    },
    handle(c) {
      const base = c.get('basePath');
      c.header('Content-Security-Policy', POLICY);
      return c.html(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Duework API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${base}/docs/swagger-ui.css"></head><body><div id="docs" data-document="${base}/openapi.json"></div><script src="${base}/docs/swagger-ui-bundle.js"></script><script src="${base}/docs/start.js"></script></body></html>`,
      );
    },
  };
}

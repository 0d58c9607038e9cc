import { OpenAPIHono } from '@hono/zod-openapi';
import { authorizeRequest } from './access/authorize/authorize-request.js';
import { Share } from './access/share.js';
import type { ApiEnv, ApiParts, Route } from './api.js';
import { addRoutes } from './http/add-routes.js';
import { answerError } from './http/problems/answer-error.js';
import { ApiError } from './api-error.js';
import { findPathBelow } from './mount/find-path-below.js';
import { placeBelow } from './mount/place-below.js';
import { observeRequest } from './observe/observe-request.js';
import { registerJobSchemas } from './openapi/register-job-schemas.js';
import { createRoutes } from './create-routes.js';

/** Four of the largest batches; a body takes about eight times its size while it is read. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * The whole API as a Fetch handler, which a server, a test or another Hono app can mount. `own` are routes of the program
 * that mounts it, beside those of the queue: they are in its document, and refuse as it does.
 */
export function createApp(parts: ApiParts, own: readonly Route[] = []): OpenAPIHono<ApiEnv> {
  return assembleApp(parts, (readDocument) => createRoutes(parts, readDocument, own));
}

/** The same of any routes. `describe` changes what their document says, which `readDocument` reads. */
export function assembleApp(
  parts: ApiParts,
  makeRoutes: (readDocument: () => object) => readonly Route[],
  describe: (document: object) => object = (document) => document,
): OpenAPIHono<ApiEnv> {
  const { basePath = '', metrics, maxBodyBytes = MAX_BODY_BYTES } = parts;
  const app = new OpenAPIHono<ApiEnv>({ getPath: findPathBelow(basePath) });
  let document: object | undefined;
  const readDocument = (): object =>
    (document ??= describe(
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'Duework',
          version: '1',
          description: 'A durable job queue in PostgreSQL.',
        },
        servers: [{ url: basePath === '' ? '/' : basePath }],
      }),
    ));

  app.use(observeRequest(parts));
  app.use(placeBelow(basePath));
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`dwk_…`), or the token of a person.',
  });
  registerJobSchemas(app.openAPIRegistry, parts.catalog);
  const bodies = new Share(maxBodyBytes, 'bytes of bodies', (held) => metrics.bodyBytes.set(held));
  addRoutes(app, makeRoutes(readDocument), authorizeRequest(parts), bodies);
  app.notFound((c) =>
    answerError(
      c,
      new ApiError('not_found', `There is nothing at this address; GET ${basePath}/ says what there is.`),
      parts.log,
      parts.databaseUrl,
    ),
  );
  app.onError((error, c) => answerError(c, error, parts.log, parts.databaseUrl));
  return app;
}

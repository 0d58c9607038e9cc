import { Hono } from 'hono';
import { ApiError } from '../api-error.js';
import type { Share } from '../access/share.js';
import type { ApiContext, ApiEnv, ApiParts } from '../api.js';
import { createRoutes } from '../create-routes.js';
import { answerError } from '../http/problems/answer-error.js';
import type { Shard } from './shards.js';

/**
 * The routes over one database, without what is done once for the whole request: who calls is known, its body was read within
 * its limits, and it is logged and measured already.
 */
export function createShardApp(parts: ApiParts, streams: Share): Shard['fetch'] {
  // an address would resolve `..` and `\\`, which are names in a path
  const app = new Hono<ApiEnv>({ getPath: (_request, { env = {} } = {}) => (env as unknown as AskedOfShard).path });
  app.use((c, next) => {
    const { outer } = asked(c);
    c.set('requestId', outer.get('requestId'));
    c.set('route', outer.get('route'));
    c.set('basePath', outer.get('basePath'));
    c.set('principal', outer.get('principal'));
    c.set('authorizeAgain', outer.get('authorizeAgain'));
    return next();
  });
  for (const { doc, handle } of createRoutes(parts, () => ({}), [], streams))
    app.on(doc.method, doc.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      // who may do this was checked for the route that is meant: an address leads to no other
      if (asked(c).operationId !== doc.operationId) throw new ApiError('not_found', NOTHING);
      return handle(c);
    });
  app.notFound((c) => answerError(c, new ApiError('not_found', NOTHING), parts.log, parts.databaseUrl));
  app.onError((error, c) => answerError(c, error, parts.log, parts.databaseUrl));
  return async (c, request, { operationId, path = c.req.path }) =>
    app.fetch(request, { ...(c.env as object), outer: c, operationId, path } satisfies AskedOfShard);
}

interface AskedOfShard {
  readonly outer: ApiContext;
  readonly operationId: string;
  readonly path: string;
}
const asked = (c: ApiContext): AskedOfShard => c.env as unknown as AskedOfShard;
const NOTHING = 'There is nothing at this address.';

import { Hono } from 'hono';
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
  const app = new Hono<ApiEnv>();
  app.use((c, next) => {
    const { outer } = c.env as unknown as { readonly outer: ApiContext };
    c.set('requestId', outer.get('requestId'));
    c.set('route', outer.get('route'));
    c.set('basePath', outer.get('basePath'));
    c.set('principal', outer.get('principal'));
    return next();
  });
  for (const { doc, handle } of createRoutes(parts, () => ({}), [], streams))
    app.on(doc.method, doc.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => handle(c));
  app.onError((error, c) => answerError(c, error, parts.log, parts.databaseUrl));
  return async (c, request) => app.fetch(request, { ...(c.env as object), outer: c });
}

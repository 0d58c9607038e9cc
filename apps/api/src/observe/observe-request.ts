import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv, ApiParts } from '../api.js';
import { readMonotonicMs } from '../clock.js';

/** Visible ASCII, so that it can stand in a header and in a log line. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** What no route matched shares one name: a path is the client's to choose, and would make endless series. */
export const UNMATCHED = 'unmatched';

/** Asked every few seconds by machines; nobody reads these lines. */
const PROBES = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Gives every request its id (the client's when that is usable), and writes one log line and one measurement about it:
 * never its body, its query or its ids.
 */
export function observeRequest({ log, metrics, isStopping }: ApiParts): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedMs = readMonotonicMs();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.set('route', UNMATCHED);
    await next();
    c.header('X-Request-Id', requestId);
    c.header('X-Content-Type-Options', 'nosniff');
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
    // A client that keeps its connection would hold up the stop.
    if (isStopping()) c.header('Connection', 'close');

    const ms = readMonotonicMs() - startedMs;
    const { method } = c.req;
    const { status } = c.res;
    const route = c.get('route');
    metrics.requestSeconds.observe({ method, route, status }, ms / 1000);
    log[PROBES.has(route) ? 'debug' : 'info'](
      { method, route, status, ms: Math.round(ms * 10) / 10, requestId },
      'request.answered',
    );
  };
}

import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv, ApiParts } from '../api.js';
import { readMonotonicMs } from '../clock.js';
import { securityHeaders } from '../http/security-headers.js';

/** Visible ASCII, so that an id can be put in a header and in a log line. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Requests that match no route share one name, because the client chooses the path and could make endless series. */
export const UNMATCHED = 'unmatched';

/** Machines request these every few seconds, and nobody reads their log lines. */
const PROBES = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Gives every request its id (the client's when that is usable), and writes one log line and one measurement about it:
 * without its body, its query or its ids.
 */
export function observeRequest({ log, metrics, isStopping, isBehindTls = false }: ApiParts): MiddlewareHandler<ApiEnv> {
  const headers = securityHeaders(isBehindTls);
  return async (c, next) => {
    const startedMs = readMonotonicMs();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.set('route', UNMATCHED);
    // set before the answer is made: each header that is added to an answer makes Hono build it anew, with a stream for its body
    c.header('X-Request-Id', requestId);
    for (const [name, value] of headers) c.header(name, value);
    await next();
    // A client that keeps its connection would delay the end of the process.
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

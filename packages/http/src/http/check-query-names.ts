import type { RouteConfig } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../api-error.js';
import type { ApiEnv } from '../api.js';

/**
 * Refuses a query with a parameter that a route's description does not have (`invalid_query`): whoever misspells one would
 * believe that it counts. A pair without a name is nothing.
 */
export function checkQueryNames({ parameters = [] }: RouteConfig): MiddlewareHandler<ApiEnv> {
  const known = parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []));
  const there = known.length === 0 ? 'this route has none' : `there are ${known.join(', ')}`;
  return (c, next) => {
    if (!c.req.url.includes('?')) return next();
    // guard: query-names
    const unknown = Object.keys(c.req.queries()).filter((name) => name !== '' && !known.includes(name));
    if (unknown.length > 0) {
      throw new ApiError('invalid_query', 'The query is not valid; errors says which parameters.', {
        errors: unknown.map((parameter) => ({ parameter, message: `There is no such parameter; ${there}` })),
      });
    }
    // guard end: query-names
    return next();
  };
}

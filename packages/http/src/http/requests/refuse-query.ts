import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../../api-error.js';
import type { ApiEnv } from '../../api.js';

/**
 * Refuses any parameter (`invalid_query`), on a route that has none and so reads no query: whoever sends one would believe
 * that it counts. A pair without a name is nothing.
 */
export const refuseQuery: MiddlewareHandler<ApiEnv> = (c, next) => {
  if (!c.req.url.includes('?')) return next();
  const unknown = Object.keys(c.req.queries()).filter((name) => name !== '');
  if (unknown.length > 0) {
    throw new ApiError('invalid_query', 'The query is not valid; see errors for the parameters.', {
      errors: unknown.map((parameter) => ({
        parameter,
        message: 'There is no such parameter; this route has none',
      })),
    });
  }
  return next();
};

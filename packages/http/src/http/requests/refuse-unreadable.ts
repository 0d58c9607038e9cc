import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../../api-error.js';
import type { ApiEnv } from '../../api.js';

/**
 * Refuses an address that is not percent-encoded UTF-8: its parts would be read as other texts, by each reader in its way. A
 * path like that leads to nothing (`not_found`), and a query has no such parameter (`invalid_query`).
 */
export const refuseUnreadable: MiddlewareHandler<ApiEnv> = (c, next) => {
  const { url } = c.req;
  if (!url.includes('%')) return next();
  const at = url.indexOf('?');
  if (!isEncoded(at === -1 ? url : url.slice(0, at)))
    throw new ApiError('not_found', 'The path of this address is not percent-encoded UTF-8: nothing is there.');
  if (at !== -1 && !isEncoded(url.slice(at)))
    throw new ApiError('invalid_query', 'The query is not valid; see errors for the parameters.', {
      errors: [{ parameter: '', message: 'The query is not percent-encoded UTF-8' }],
    });
  return next();
};

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

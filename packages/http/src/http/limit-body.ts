import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../api-error.js';
import type { ApiEnv } from '../api.js';

/**
 * Refuses a body over the limit with `body_too_large`: at once when the request declares its length, which the server
 * lets no body exceed, else while it arrives.
 */
export function limitBody(limitBytes: number): MiddlewareHandler<ApiEnv> {
  const refuse = (): never => {
    throw new ApiError('body_too_large', `The body of this request is limited to ${limitBytes} bytes.`);
  };
  const limitWhileItArrives = bodyLimit({ maxSize: limitBytes, onError: refuse });
  return async (c, next) => {
    const declared = c.req.header('content-length');
    if (declared === undefined || c.req.header('transfer-encoding') !== undefined) return limitWhileItArrives(c, next);
    // Hono's own would make a web stream of the body first, which costs as much as all else that is done before the queue
    return Number(declared) <= limitBytes ? next() : refuse();
  };
}

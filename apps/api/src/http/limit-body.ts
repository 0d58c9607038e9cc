import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../api-error.js';
import type { ApiEnv } from '../api.js';

/**
 * Refuses a body over the limit with `body_too_large`: at once when the request declares its length, else while it
 * arrives.
 */
export function limitBody(limitBytes: number): MiddlewareHandler<ApiEnv> {
  return bodyLimit({
    maxSize: limitBytes,
    onError: () => {
      throw new ApiError('body_too_large', `The body of this request is limited to ${limitBytes} bytes.`);
    },
  });
}

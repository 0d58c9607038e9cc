import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler } from 'hono';
import type { Share } from '../../access/share.js';
import { ApiError } from '../../api-error.js';
import type { ApiEnv } from '../../api.js';

/**
 * Refuses a body over the limit with `body_too_large`: at once when the request declares its length, which the server
 * lets no body exceed, else while it arrives. Before any of it is read, its bytes are taken from what bodies may hold of
 * this process (`rate_limited`, `overloaded`), until the request is answered; those of a body without a length count as
 * the limit.
 */
export function limitBody(limitBytes: number, bodies: Share): MiddlewareHandler<ApiEnv> {
  const refuse = (): never => {
    throw new ApiError('body_too_large', `The body of this request is limited to ${limitBytes} bytes.`);
  };
  const limitWhileItArrives = bodyLimit({ maxSize: limitBytes, onError: refuse });
  return async (c, next) => {
    const declared = c.req.header('content-length');
    // Hono's own would make a web stream of the body first, which costs as much as all else that is done before the queue
    const isKnown = declared !== undefined && c.req.header('transfer-encoding') === undefined;
    const bytes = isKnown ? Number(declared) : limitBytes;
    if (!(bytes <= limitBytes)) return refuse();
    const giveBack = bodies.take(c.var.principal, bytes);
    try {
      return await (isKnown ? next() : limitWhileItArrives(c, next));
    } finally {
      giveBack();
    }
  };
}

import { z } from '@hono/zod-openapi';
import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';

/** Where the issuer sends the browser back to. Which addresses it takes is registered there. */
export const redirectUri = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .describe('An address of the page that asks, which the issuer knows.')
  .openapi({ example: 'https://ops.example.org/console/signed-in' });

/**
 * Throws `invalid_body` where a browser would be sent to another place than the page that asks: the origin that its browser
 * names, or else the host at which this server was called. A program may name any of both, so that the addresses that are
 * registered at the issuer decide in the end.
 */
export function checkRedirect(c: ApiContext, address: string): void {
  const { origin, host } = new URL(address);
  const asking = c.req.header('origin');
  if (asking === undefined ? host === c.req.header('host') : origin === asking) return;
  throw new ApiError('invalid_body', 'The request body is not valid; see errors.', {
    errors: [{ pointer: '/redirectUri', message: 'It must be an address of the page that asks' }],
  });
}

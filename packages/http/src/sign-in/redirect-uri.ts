import { z } from '@hono/zod-openapi';

/** Where the issuer sends the browser back to. Which addresses it takes is registered there. */
export const redirectUri = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .describe('An address of the console that the issuer knows.')
  .openapi({ example: 'https://ops.example.org/console/signed-in' });

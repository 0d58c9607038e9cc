import { z } from '@hono/zod-openapi';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, problems } from '../../openapi/problems.js';
import { tokenText } from '../../sign-in/present-signed-in.js';
import { checkRedirect, redirectUri } from '../../sign-in/redirect-uri.js';
import type { SignInAttempts } from '../../sign-in/sign-in-attempts.js';
import type { QueueRoute } from '../../queue-route.js';

const request = z
  .strictObject({ redirectUri, idToken: tokenText.nullable(), refreshToken: tokenText.nullable() })
  .openapi('EndedSignIn');

const ended = z
  .object({
    address: z
      .url()
      .nullable()
      .describe('Where the browser goes to sign out there; null: the issuer has no such address.'),
  })
  .openapi('SignOut');

/** `POST /v1/sign-in/end`: gives back the refresh token, and says where a person signs out of the issuer. */
export function endSignIn(attempts: SignInAttempts): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'post',
      path: '/v1/sign-in/end',
      operationId: 'endSignIn',
      summary: 'Sign a person out at the issuer',
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('Where to go.', ended),
        ...problems(...BODY_PROBLEMS, 'not_found', 'issuer_unavailable'),
      },
    },
    bodyLimitBytes: 64 * 1024,
    async handle(c) {
      const signIn = attempts.find();
      const body = parseBody(request, await readJsonBody(c));
      checkRedirect(c, body.redirectUri);
      return c.json({ address: await attempts.ask(() => signIn.end(body)) });
    },
  };
}

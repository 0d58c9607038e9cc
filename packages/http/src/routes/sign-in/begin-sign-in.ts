import { z } from '@hono/zod-openapi';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, problems } from '../../openapi/problems.js';
import { checkRedirect, redirectUri } from '../../sign-in/redirect-uri.js';
import type { SignInAttempts } from '../../sign-in/sign-in-attempts.js';
import type { QueueRoute } from '../../queue-route.js';

const request = z.strictObject({ redirectUri }).openapi('NewSignIn');

const begun = z
  .object({
    address: z.url().describe('Where the browser goes.'),
    state: z.string(),
    nonce: z.string(),
    verifier: z.string().describe('Of PKCE. All three are for the tab alone, which shows them when it comes back.'),
  })
  .openapi('BegunSignIn');

/** `POST /v1/sign-in`: begins to sign a person in at the issuer. Nothing of it is kept here. */
export function beginSignIn(attempts: SignInAttempts): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'post',
      path: '/v1/sign-in',
      operationId: 'beginSignIn',
      summary: 'Begin to sign a person in',
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('Where to go, and what to keep until then.', begun),
        ...problems(...BODY_PROBLEMS, 'not_found', 'issuer_unavailable'),
      },
    },
    bodyLimitBytes: 8 * 1024,
    async handle(c) {
      const signIn = attempts.find();
      const body = parseBody(request, await readJsonBody(c));
      checkRedirect(c, body.redirectUri);
      return c.json(await attempts.ask(() => signIn.begin(body.redirectUri)));
    },
  };
}

import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, problems } from '../../openapi/problems.js';
import { findGoodToken } from '../../sign-in/find-good-token.js';
import { signedIn } from '../../sign-in/present-signed-in.js';
import { checkRedirect, redirectUri } from '../../sign-in/redirect-uri.js';
import type { SignInAttempts } from '../../sign-in/sign-in-attempts.js';
import type { QueueRoute } from '../../queue-route.js';

const secret = z.string().min(1).max(200);
const request = z
  .strictObject({
    parameters: z.string().max(8_000).describe('What the issuer has put behind the address: `code=…&state=…`.'),
    redirectUri,
    state: secret,
    nonce: secret,
    verifier: secret,
  })
  .openapi('ReturnedSignIn');

/** `POST /v1/sign-in/token`: gets the token of a person who has come back from the issuer, and looks whether it is good here. */
export function finishSignIn(parts: ApiParts, attempts: SignInAttempts): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'post',
      path: '/v1/sign-in/token',
      operationId: 'finishSignIn',
      summary: 'Finish to sign a person in',
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The token, and what keeps the person signed in.', signedIn),
        ...problems(...BODY_PROBLEMS, 'not_found', 'sign_in_refused', 'rate_limited', 'issuer_unavailable'),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const signIn = attempts.find();
      const { parameters, ...body } = parseBody(request, await readJsonBody(c));
      checkRedirect(c, body.redirectUri);
      const returned = { ...body, parameters: new URLSearchParams(parameters) };
      const answered = await attempts.count(c, async () => {
        const { tokens, ...kept } = await attempts.ask(() => signIn.finish(returned));
        return { token: await findGoodToken(c, parts, tokens), ...kept };
      });
      return c.json(answered);
    },
  };
}

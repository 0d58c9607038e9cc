import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, problems } from '../../openapi/problems.js';
import { findGoodToken } from '../../sign-in/find-good-token.js';
import { signedIn, tokenText } from '../../sign-in/present-signed-in.js';
import type { SignInAttempts } from '../../sign-in/sign-in-attempts.js';
import type { QueueRoute } from '../../queue-route.js';

const request = z.strictObject({ refreshToken: tokenText }).openapi('ExpiredSignIn');

/** `POST /v1/sign-in/refresh`: gets the next token of a person whose last one has expired. Nothing of it is kept here. */
export function refreshSignIn(parts: ApiParts, attempts: SignInAttempts): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'post',
      path: '/v1/sign-in/refresh',
      operationId: 'refreshSignIn',
      summary: 'Keep a person signed in',
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The next token.', signedIn),
        ...problems(...BODY_PROBLEMS, 'not_found', 'sign_in_refused', 'rate_limited', 'issuer_unavailable'),
      },
    },
    bodyLimitBytes: 64 * 1024,
    async handle(c) {
      const signIn = attempts.find();
      const { refreshToken } = parseBody(request, await readJsonBody(c));
      const answered = await attempts.count(c, async () => {
        const { tokens, ...kept } = await attempts.ask(() => signIn.refresh(refreshToken));
        return { token: await findGoodToken(c, parts, tokens), ...kept };
      });
      return c.json(answered);
    },
  };
}

import { BlockList } from 'node:net';
import { z } from '@hono/zod-openapi';
import type { AccessRefusal, Authorize } from '../../access/authorize.js';
import { callerOf } from '../../access/caller-of.js';
import { ApiError } from '../../api-error.js';
import type { ApiParts, Route } from '../../api.js';
import { parseBody } from '../../http/parse-body.js';
import { readJsonBody } from '../../http/read-json-body.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, problems } from '../../openapi/problems.js';
import { refuseSignIn } from '../../sign-in/refuse-sign-in.js';
import { redirectUri } from '../../sign-in/redirect-uri.js';
import type { SignInAttempts } from '../../sign-in/sign-in-attempts.js';

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

const signedIn = z
  .object({ token: z.string().describe('For `Authorization: Bearer …`, until it expires.') })
  .openapi('SignedIn');

/** `POST /v1/sign-in/token`: gets the token of a person who has come back from the issuer, and looks whether it is good here. */
export function finishSignIn({ authorize, proxies = new BlockList() }: ApiParts, attempts: SignInAttempts): Route {
  return {
    scope: 'public',
    doc: {
      method: 'post',
      path: '/v1/sign-in/token',
      operationId: 'finishSignIn',
      summary: 'Finish to sign a person in',
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The token.', signedIn),
        ...problems(...BODY_PROBLEMS, 'not_found', 'sign_in_refused', 'rate_limited', 'issuer_unavailable'),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const signIn = attempts.find();
      const { parameters, ...body } = parseBody(request, await readJsonBody(c));
      const returned = { ...body, parameters: new URLSearchParams(parameters) };
      const token = await attempts.count(c, async () =>
        findGood(await attempts.ask(() => signIn.finish(returned)), (one) =>
          authorize(new Request(c.req.url, { headers: { Authorization: `Bearer ${one}` } }), callerOf(c, proxies)),
        ),
      );
      return c.json({ token });
    },
  };
}

/** The first token that every request would be let through with. Throws `sign_in_refused` with what is wrong with the last. */
async function findGood(tokens: readonly string[], show: (token: string) => ReturnType<Authorize>): Promise<string> {
  let refusal: AccessRefusal | null = null;
  for (const token of tokens) {
    const decided = await show(token);
    if (decided !== null && !('code' in decided)) return token;
    refusal = decided ?? refusal;
  }
  if (refusal?.code === 'issuer_unavailable') throw new ApiError(refusal.code, refusal.detail);
  const words = 'The issuer let you in, but gave no token that is good for this API.';
  throw refuseSignIn(refusal === null ? words : `${words} ${refusal.detail}`);
}

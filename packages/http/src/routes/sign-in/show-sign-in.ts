import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

const ways = z
  .object({
    issuer: z
      .string()
      .nullable()
      .describe('Where people sign in; null: with an API key alone.')
      .openapi({ example: 'login.example.org' }),
  })
  .openapi('SignInWays');

/** `GET /v1/sign-in`: how somebody who shows nothing yet can sign in. */
export function showSignIn({ signIn }: ApiParts): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/v1/sign-in',
      operationId: 'showSignIn',
      summary: 'Say how people can sign in',
      responses: { 200: answer('The ways.', ways), ...problems() },
    },
    handle: (c) => c.json({ issuer: signIn?.issuer ?? null }),
  };
}

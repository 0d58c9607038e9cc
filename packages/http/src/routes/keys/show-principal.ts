import { z } from '@hono/zod-openapi';
import { SCOPES } from '../../access/principal.js';
import type { Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';

const principal = z
  .object({
    name: z.string().describe('As the audit names it.').openapi({ example: 'key:deploy' }),
    kind: z.enum(['key', 'person', 'local']).describe('`local`: a request of this machine, in development.'),
    scopes: z.array(z.enum(SCOPES as unknown as [string, ...string[]])),
    types: z.array(z.string()).nullable().describe('The types of job that it may enqueue and see; null: all of them.'),
  })
  .openapi('Principal');

/** `GET /v1/principal`: who calls, and what they may do. */
export function showPrincipal(): Route {
  return {
    scope: 'read',
    isForSomeTypes: true,
    doc: {
      method: 'get',
      path: '/v1/principal',
      operationId: 'showPrincipal',
      summary: 'Say who calls, and what they may do',
      responses: { 200: answer('The principal.', principal), ...problems() },
    },
    handle(c) {
      const { name, kind, scopes, types } = c.get('principal');
      return c.json({ name, kind, scopes, types });
    },
  };
}

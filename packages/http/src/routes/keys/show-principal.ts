import { z } from '@hono/zod-openapi';
import { findAccessRefusal } from '../../access/find-access-refusal.js';
import { type Principal, SCOPES } from '../../access/principal.js';
import type { ApiParts, Refusal, Route } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import { NO_DATABASE } from '../../over-queue/no-database.js';
import { LISTED } from '../../over-queue/read-listing.js';
import type { QueueRoute } from '../../queue-route.js';

const refusal = z
  .object({
    operation: z.string().describe('Its `operationId` in this document.').openapi({ example: 'listSchedules' }),
    why: z.string().describe('In a sentence.'),
  } satisfies Record<keyof Refusal, z.ZodType>)
  .openapi('Refusal');

const queueBehind = z
  .object({
    kind: z.string().nullable().describe('What keeps the jobs: `PostgreSQL`; null: it does not say.'),
    capabilities: z
      .record(z.string(), z.boolean())
      .describe('What its store can do beyond the minimum, and what it cannot.')
      .openapi({ example: { flow: true, lists: true, priorities: true, transactional: true } }),
    keepsAnswers: z.boolean().describe('Whether a request may be sent again with an `Idempotency-Key`.'),
    filters: z
      .array(z.string())
      .nullable()
      .describe('By one value of each of these fields jobs are listed, and by nothing else; null: by any filter.'),
    refuses: z.array(refusal).describe('What answers `not_supported` here, whoever asks; empty: nothing does.'),
  })
  .openapi('QueueBehind');

const principal = z
  .object({
    name: z.string().describe('As the audit names it.').openapi({ example: 'key:deploy' }),
    kind: z.enum(['key', 'person', 'local']).describe('`local`: a request of this machine, in development.'),
    scopes: z.array(z.enum(SCOPES as unknown as [string, ...string[]])),
    types: z.array(z.string()).nullable().describe('The types of job that it may enqueue and see; null: all of them.'),
    refuses: z.array(refusal).describe('What the caller may not do, for lack of a scope or because of its types.'),
    queue: queueBehind.describe('What this API is of.'),
  })
  .openapi('Principal');

/** What a principal may not do. */
const listRefusals = (principal: Principal, routes: readonly Route[]): readonly Refusal[] =>
  routes.flatMap(({ scope, isForSomeTypes = false, doc }) => {
    const refused = scope === 'public' ? null : findAccessRefusal(principal, scope, isForSomeTypes);
    return refused === null ? [] : [{ operation: doc.operationId!, why: refused.message }];
  });

/** `GET /v1/principal`: who calls, what they may do of the routes, and of which queue. */
export function showPrincipal(
  { queue: { kind, capabilities }, refusals = [], ...parts }: ApiParts,
  listRoutes: () => readonly Route[],
): QueueRoute {
  const isInDatabase = parts.db !== NO_DATABASE;
  const queue = {
    kind: kind ?? null,
    capabilities,
    keepsAnswers: isInDatabase,
    filters: isInDatabase ? null : LISTED,
    refuses: refusals,
  };
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/v1/principal',
      operationId: 'showPrincipal',
      summary: 'Say who calls, and what they may do',
      responses: { 200: answer('The principal.', principal), ...problems() },
    },
    handle(c) {
      const { name, kind, scopes, types } = c.get('principal');
      return c.json({ name, kind, scopes, types, refuses: listRefusals(c.get('principal'), listRoutes()), queue });
    },
  };
}

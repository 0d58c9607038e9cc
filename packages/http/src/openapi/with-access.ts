import type { RouteConfig } from '@hono/zod-openapi';
import type { Scope } from '../access/principal.js';
import { addProblems } from './add-problems.js';
import { problems } from './problems.js';

/** A route's description with what every route with a scope has: who may call it, and how it refuses the others. */
export function withAccess(doc: RouteConfig, scope: Scope, isForSomeTypes: boolean): RouteConfig {
  const refusals = problems(
    'invalid_query',
    'unauthenticated',
    'invalid_credentials',
    'expired_credentials',
    'revoked_credentials',
    'missing_scope',
    ...(isForSomeTypes ? [] : (['limited_to_types'] as const)),
    'rate_limited',
    'issuer_unavailable',
    'database_unavailable',
  );
  return { ...addProblems(doc, refusals), security: [{ bearer: [scope] }] };
}

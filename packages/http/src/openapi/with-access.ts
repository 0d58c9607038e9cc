import type { RouteConfig } from '@hono/zod-openapi';
import type { Scope } from '../access/principal.js';
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
  const responses = { ...refusals, ...doc.responses };
  // one status has reasons of both
  for (const [status, refusal] of Object.entries(refusals)) {
    const own = doc.responses[status];
    if (own === undefined || !('description' in own) || !('description' in refusal)) continue;
    const reasons = new Set([...own.description.split('; '), ...refusal.description.split('; ')]);
    responses[status] = { ...own, description: [...reasons].join('; ') };
  }
  return { ...doc, security: [{ bearer: [scope] }], responses };
}

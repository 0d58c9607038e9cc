import type { RouteConfig } from '@hono/zod-openapi';
import type { Scope } from '../access/principal.js';
import { problems } from './problems.js';

/** A route's description with what every route with a scope has: who may call it, and how it refuses the others. */
export function withAccess(doc: RouteConfig, scope: Scope, isForSomeTypes: boolean): RouteConfig {
  const refusals = problems(
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
  // 503 has reasons of both
  const own = doc.responses[503];
  const busy = refusals[503];
  if (own !== undefined && busy !== undefined && 'description' in own && 'description' in busy)
    responses[503] = {
      ...own,
      description: [...new Set([...own.description.split('; '), ...busy.description.split('; ')])].join('; '),
    };
  return { ...doc, security: [{ bearer: [scope] }], responses };
}

import { BlockList } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../../api-error.js';
import type { ApiContext, ApiEnv, ApiParts } from '../../api.js';
import type { HttpErrorCode } from '../../http-errors.js';
import type { AccessRefusal } from './authorize.js';
import { callerOf } from './caller-of.js';
import { findAccessRefusal } from '../find-access-refusal.js';
import type { Principal, Scope } from '../principal.js';
import { RateLimiter, type Quota } from './rate-limiter.js';

const NO_PROXIES = new BlockList();
const REALM = 'Bearer realm="duework"';

/**
 * Returns the middleware of a route with a scope: it lets a principal with that scope through (one that is limited to types of
 * job where the route is for such ones), and refuses everybody else before any of the body is read.
 */
export function authorizeRequest({
  authorize,
  proxies = NO_PROXIES,
  requestsPerMinute,
  failuresPerMinute,
  log,
}: ApiParts): (scope: Scope, isForSomeTypes: boolean) => MiddlewareHandler<ApiEnv> {
  const requests = new RateLimiter(requestsPerMinute);
  const failures = new RateLimiter(failuresPerMinute);
  const policy = `"principal";q=${requestsPerMinute};w=60`;

  function refuse(c: ApiContext, refusal: AccessRefusal | null, address: string | null): never {
    const { code, detail } = refusal ?? whatIsMissing(c);
    if (code === 'issuer_unavailable') throw new ApiError(code, detail, { headers: { 'Retry-After': '5' } });
    log.warn({ requestId: c.get('requestId'), code, from: address }, 'access.refused');
    const quota = failures.take(address ?? '');
    if (quota.remaining < 0)
      throw tooMany('Too many requests with no or wrong credentials came from this address.', quota);
    const error = code === 'unauthenticated' ? '' : `, error="invalid_token", error_description="${detail}"`;
    throw new ApiError(code, detail, { headers: { 'WWW-Authenticate': REALM + error } });
  }

  async function decide(c: ApiContext): Promise<Principal> {
    const caller = callerOf(c, proxies);
    const answer = await authorize(c.req.raw, caller);
    if (answer === null || 'code' in answer) return refuse(c, answer, caller.address);
    // an `authorize` of one's own may be plain JavaScript, and not say it
    return { ...answer, id: (answer as Partial<Principal>).id ?? answer.name };
  }

  return (scope, isForSomeTypes) => async (c, next) => {
    const decided = await decide(c);
    c.set('principal', decided);
    if (decided.kind !== 'local') {
      const quota = requests.take(decided.name);
      c.header('RateLimit-Policy', policy);
      c.header('RateLimit', `"principal";r=${Math.max(quota.remaining, 0)};t=${quota.resetSeconds}`);
      if (quota.remaining < 0) throw tooMany(`${decided.name} may send ${requestsPerMinute} requests a minute.`, quota);
    }
    checkRights(decided, scope, isForSomeTypes);
    c.set('authorizeAgain', async () => checkRights(await decide(c), scope, isForSomeTypes));
    return next();
  };
}

function checkRights(principal: Principal, scope: Scope, isForSomeTypes: boolean): Principal {
  const refusal = findAccessRefusal(principal, scope, isForSomeTypes);
  if (refusal !== null) throw refusal;
  return principal;
}

function whatIsMissing(c: ApiContext): { readonly code: HttpErrorCode; readonly detail: string } {
  if (c.req.header('authorization') === undefined)
    return {
      code: 'unauthenticated',
      detail: 'Send an API key: Authorization: Bearer dwk_… (npx duework keys create makes one).',
    };
  return { code: 'invalid_credentials', detail: 'The Authorization header has nothing that is known here.' };
}

function tooMany(detail: string, { resetSeconds }: Quota): ApiError {
  return new ApiError('rate_limited', `${detail} Try again in ${resetSeconds} s.`, {
    headers: { 'Retry-After': String(resetSeconds) },
  });
}

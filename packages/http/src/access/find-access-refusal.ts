import { ApiError } from '../api-error.js';
import { lacksScope } from './lacks-scope.js';
import type { Principal, Scope } from './principal.js';

/**
 * Why a principal may not call a route; null: it may. `isForSomeTypes`: the route is for those who are limited to
 * types, too.
 */
export function findAccessRefusal(principal: Principal, scope: Scope, isForSomeTypes: boolean): ApiError | null {
  if (!principal.scopes.includes(scope)) return lacksScope(principal, scope);
  if (principal.types === null || isForSomeTypes) return null;
  return new ApiError('limited_to_types', `${describeTypes(principal)}, and this is about all of them.`);
}

/** `key:colleague is for jobs of the type send_invoice alone` */
export const describeTypes = ({ name, types }: Principal): string =>
  `${name} is for jobs of the type ${(types ?? []).join(', ')} alone`;

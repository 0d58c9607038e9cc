import { ApiError } from '../api-error.js';
import type { Principal } from './principal.js';

/** A 403 that says which scope is missing, for a route or for a type that the principal may not enqueue. */
export function lacksScope({ name }: Principal, scope: string, errors: ApiError['errors'] = []): ApiError {
  return new ApiError('missing_scope', `${name} lacks the scope ${scope}.`, {
    errors,
    headers: { 'WWW-Authenticate': `Bearer realm="duework", error="insufficient_scope", scope="${scope}"` },
  });
}

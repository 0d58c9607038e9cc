import type { ApiKey, GrantedScope } from '@duework/operate';
import { lacksScope } from '../access/lacks-scope.js';
import type { Principal } from '../access/principal.js';

/** Throws `missing_scope` for a right that a principal would give away and does not have. */
export function checkGranted(principal: Principal, granted: readonly GrantedScope[]): void {
  const mayEnqueue = (type: string): boolean =>
    principal.scopes.includes('enqueue') && (principal.types === null || principal.types.includes(type));
  const missing = granted.find((scope) => {
    if (scope.startsWith('enqueue:')) return !mayEnqueue(scope.slice('enqueue:'.length));
    if (scope.startsWith('type:')) return false;
    if (scope === 'enqueue' && principal.types !== null) return true;
    return !principal.scopes.includes(scope as Principal['scopes'][number]);
  });
  if (missing !== undefined) throw lacksScope(principal, missing);
}

/**
 * Throws `missing_scope` where a principal may not revoke a key. A key is a program, whose secret may have leaked: it
 * revokes itself, and keys that it could have made. A person revokes every key, so that whoever is awake can close one.
 */
export function checkRevocable(principal: Principal, key: ApiKey): void {
  if (principal.kind === 'key' && principal.id !== `key:${key.id}`) checkGranted(principal, key.scopes);
}

import { isName } from '@duework/contracts';
import type { ApiError } from '../api-error.js';
import { lacksScope } from './lacks-scope.js';
import type { Principal } from './principal.js';

/**
 * Throws `missing_scope` unless a principal may enqueue a type. Asked before whether there is such a type, so that a key
 * for one type learns nothing about others.
 */
export function checkType(principal: Principal, type: string, pointer: string): void {
  if (principal.types !== null && !principal.types.includes(type)) throw refuse(principal, type, pointer);
}

function refuse(principal: Principal, type: string, pointer: string): ApiError {
  // a type is any text of the client, and a header is not
  const scope = isName(type) ? `enqueue:${type}` : 'enqueue';
  return lacksScope(principal, scope, [{ pointer, message: `${principal.name} may not enqueue this type` }]);
}

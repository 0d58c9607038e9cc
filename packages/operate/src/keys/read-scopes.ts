import { DueworkError } from '@duework/queue-core';
import { isGrantedScope, SCOPES, type GrantedScope } from './scopes.js';

/**
 * The scopes of a new key, each once. With `types`, `enqueue` becomes the right to enqueue these types and no other.
 * Throws `invalid_option`.
 */
export function readScopes(scopes: readonly string[], types: readonly string[] | undefined): GrantedScope[] {
  const narrowed =
    types === undefined ? scopes : scopes.flatMap((scope) => (scope === 'enqueue' ? narrow(types) : [scope]));
  const wrong = narrowed.find((scope) => !isGrantedScope(scope));
  if (wrong !== undefined || narrowed.length === 0)
    throw refuse('scopes', `one or more of ${SCOPES.join(', ')} and enqueue:<job type>`, wrong ?? 'an empty list');
  if (types !== undefined && !scopes.includes('enqueue'))
    throw refuse('types', 'given together with the scope enqueue, which it narrows', types.join(', '));
  return [...new Set(narrowed as GrantedScope[])];
}

function narrow(types: readonly string[]): string[] {
  if (types.length === 0) throw refuse('types', 'one job type or more', 'an empty list');
  return types.map((type) => `enqueue:${type}`);
}

function refuse(option: string, expected: string, value: string): DueworkError {
  return new DueworkError('invalid_option', { option, expected, value });
}

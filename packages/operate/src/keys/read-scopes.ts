import { DueworkError } from '@duework/queue-core';
import { isGrantedScope, SCOPES, type GrantedScope } from './scopes.js';

/**
 * The scopes of a new key, each once. `types` limit it to jobs of these types: `enqueue` becomes the right to enqueue these and
 * no other. Throws `invalid_option`.
 */
export function readScopes(scopes: readonly string[], types: readonly string[] | undefined): GrantedScope[] {
  if (types?.length === 0) throw refuse('types', 'one job type or more', 'an empty list');
  const granted = [...new Set(types === undefined ? scopes : limit(scopes, types))];
  const wrong = granted.find((scope) => !isGrantedScope(scope));
  if (wrong !== undefined || scopes.length === 0)
    throw refuse(
      'scopes',
      `one or more of ${SCOPES.join(', ')}, enqueue:<job type> and type:<job type>`,
      wrong ?? 'an empty list',
    );
  return granted as GrantedScope[];
}

function limit(scopes: readonly string[], types: readonly string[]): string[] {
  const kind = scopes.includes('enqueue') ? 'enqueue' : 'type';
  return [...types.map((type) => `${kind}:${type}`), ...scopes.filter((scope) => scope !== 'enqueue')];
}

function refuse(option: string, expected: string, value: string): DueworkError {
  return new DueworkError('invalid_option', { option, expected, value });
}

import { isName } from '@duework/contracts';

/**
 * What a caller may be allowed to do. No scope includes another: whoever may read need not see payloads, and `admin`
 * (API keys, the audit) enqueues nothing.
 */
export const SCOPES = ['enqueue', 'signal', 'read', 'payloads', 'sensitive', 'operate', 'schedules', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/** What a caller was given: a scope, or the right to enqueue one type. */
export type GrantedScope = Scope | `enqueue:${string}`;

/** Whether a text is a scope that can be given: one of `SCOPES`, or `enqueue:` and a job type. */
export function isGrantedScope(text: unknown): text is GrantedScope {
  if (typeof text !== 'string') return false;
  return SCOPES.includes(text as Scope) || (text.startsWith('enqueue:') && isName(text.slice('enqueue:'.length)));
}

/**
 * The scopes apart from the types that `enqueue` is narrowed to; null: every type may be enqueued. Whoever has `enqueue`
 * itself is narrowed by nothing.
 */
export function splitScopes(granted: readonly GrantedScope[]): { scopes: Scope[]; types: string[] | null } {
  const types = granted
    .filter((scope) => !SCOPES.includes(scope as Scope))
    .map((scope) => scope.slice('enqueue:'.length));
  const scopes = SCOPES.filter((scope) => granted.includes(scope) || (scope === 'enqueue' && types.length > 0));
  return { scopes, types: types.length === 0 || granted.includes('enqueue') ? null : types };
}

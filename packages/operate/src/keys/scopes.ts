/**
 * What a caller may be allowed to do. No scope includes another: whoever may read need not see payloads, and `admin`
 * (API keys, the audit) enqueues nothing.
 */
export const SCOPES = ['enqueue', 'read', 'payloads', 'sensitive', 'operate', 'schedules', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/** What a caller was given: a scope, or the right to enqueue one type. */
export type GrantedScope = Scope | `enqueue:${string}`;

/** Whether a text is a scope that can be given: one of `SCOPES`, or `enqueue:` and a job type. */
export function isGrantedScope(text: unknown): text is GrantedScope {
  if (typeof text !== 'string') return false;
  return SCOPES.includes(text as Scope) || /^enqueue:[a-z][a-z0-9_]{0,62}$/.test(text);
}

/**
 * Whether the granted scopes include `scope`; for `enqueue` with the type to enqueue, or without one: whether any type
 * may be.
 */
export function hasScope(granted: readonly GrantedScope[], scope: Scope, type?: string): boolean {
  // guard: scope-of-principal
  if (granted.includes(scope)) return true;
  // guard end: scope-of-principal
  if (scope !== 'enqueue') return false;
  return type === undefined
    ? granted.some((given) => given.startsWith('enqueue:'))
    : granted.includes(`enqueue:${type}`);
}

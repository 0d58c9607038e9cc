import { isName } from '@duework/contracts';

/**
 * The rights of a caller. No scope includes another: `read` shows no payloads, and `admin` (API keys, the audit)
 * enqueues nothing.
 */
export const SCOPES = [
  'enqueue',
  'signal',
  'approve',
  'read',
  'payloads',
  'sensitive',
  'operate',
  'schedules',
  'admin',
] as const;

export type Scope = (typeof SCOPES)[number];

/** A granted scope, the right to enqueue one type, or a limit to one type. */
export type GrantedScope = Scope | `enqueue:${string}` | `type:${string}`;

const OF_TYPE = /^(?:enqueue|type):(.*)$/s;

/** Whether a text can be given: one of `SCOPES`, or `enqueue:` or `type:` and a job type. */
export function isGrantedScope(text: unknown): text is GrantedScope {
  if (typeof text !== 'string') return false;
  const [, type] = OF_TYPE.exec(text) ?? [];
  return SCOPES.includes(text as Scope) || (type !== undefined && isName(type));
}

/**
 * The scopes apart from the types that all of them are limited to; null: to none. `enqueue` beside `enqueue:<type>` is
 * limited by nothing; `type:<type>` gives no right, and limits whatever it stands beside.
 */
export function splitScopes(granted: readonly GrantedScope[]): { scopes: Scope[]; types: string[] | null } {
  const typesOf = (kind: string): string[] =>
    granted.filter((scope) => scope.startsWith(kind)).map((scope) => scope.slice(kind.length));
  const [enqueued, only] = [typesOf('enqueue:'), typesOf('type:')];
  const scopes = SCOPES.filter((scope) => granted.includes(scope) || (scope === 'enqueue' && enqueued.length > 0));
  // the right to enqueue one type does not become one for others
  if (enqueued.length > 0 && !granted.includes('enqueue')) return { scopes, types: enqueued };
  return { scopes, types: only.length > 0 ? only : null };
}

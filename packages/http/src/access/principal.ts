import type { Scope } from '@duework/operate';

export { SCOPES, type Scope } from '@duework/operate';

/** Who calls. */
export interface Principal {
  /** As the audit names it: `key:deploy`, `person:ana@example.org`, `local`. */
  readonly name: string;
  readonly kind: 'key' | 'person' | 'local';
  readonly scopes: readonly Scope[];
  /** The types of job that it may enqueue; null: all of them. */
  readonly types: readonly string[] | null;
  /** The address that it calls from; null: not known. */
  readonly from: string | null;
}

import type { Scope } from '@duework/operate';

export { SCOPES, type Scope } from '@duework/operate';

/** Who calls. */
export interface Principal {
  /**
   * Whose the kept answers and the share of this process are: `key:<id>`, `person:<subject>`, `local`. No other principal
   * ever has it, while a name may be another key's later.
   */
  readonly id: string;
  /** As the audit names it: `key:deploy`, `person:ana@example.org`, `local`. */
  readonly name: string;
  readonly kind: 'key' | 'person' | 'local';
  readonly scopes: readonly Scope[];
  /** The types of job that it may enqueue; null: all of them. */
  readonly types: readonly string[] | null;
  /** The address that it calls from; null: not known. */
  readonly from: string | null;
}

/** Through what an operator acts. */
export type Via = 'api' | 'command' | 'program';

/** Who acts, and why: every verb of an operator takes it, and the audit keeps it. */
export interface Act {
  /** `key:deploy`, `person:ana@example.org`, `command:root@host1`; `program` unless given. */
  readonly by?: string | null | undefined;
  /** `program` unless given. */
  readonly via?: Via | null | undefined;
  /** The address that the request came from. */
  readonly from?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

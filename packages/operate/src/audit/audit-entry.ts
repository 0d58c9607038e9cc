import type { Via } from '@duework/queue-core';

/** What one change was: a JSON object without values of payloads. */
export type AuditedFacts = { readonly [name: string]: unknown };

/** One change made by hand. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** `key:deploy`, `person:ana@example.org`, `command:root@host1`, `program`. */
  readonly by: string;
  readonly via: Via;
  /** The address that the request came from. */
  readonly from: string | null;
  readonly verb: string;
  /** What was changed: `job`, `schedule`, `bulk_action` … */
  readonly kind: string;
  /** Its id or its key. */
  readonly target: string;
  readonly before: AuditedFacts | null;
  readonly after: AuditedFacts | null;
  readonly reason: string | null;
}

export interface AuditFilter {
  readonly by?: string | undefined;
  readonly verb?: string | undefined;
  readonly kind?: string | undefined;
  /** The id or key of what was changed; needs `kind`. */
  readonly target?: string | undefined;
  /** A job: changes to it, alone or by a bulk action. */
  readonly job?: string | undefined;
  /** Only changes at this time or later. */
  readonly since?: Date | undefined;
  /** 1 to 1,000; 100 unless given. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Pass it as `cursor` for the next page; null: this was the last page. */
  readonly nextCursor: string | null;
}

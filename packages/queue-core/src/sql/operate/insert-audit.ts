import type { Act } from '../../ports/act.js';
import { ownTransaction, sql, type Sql } from '@duework/sql';

/** What an entry says about the rows that a statement changes; `target`, `before` and `after` are expressions on `from`. */
export interface AuditedChange {
  readonly verb: string;
  /** What is changed: `job`, `schedule`, `queue` … */
  readonly kind: string;
  /** Its id or key, as text. */
  readonly target: Sql;
  /** What changes, as jsonb; never the value of a payload's field. */
  readonly before: Sql;
  readonly after: Sql;
  /** The FROM of the entries, one for each of its rows: the CTE whose RETURNING tells what was changed. */
  readonly from: Sql;
}

/**
 * An INSERT of audit entries, for a CTE of the statement that makes the change: what is refused there changes no row and
 * so leaves no entry. `queryRows` throws `not_in_transaction` where the caller's transaction is not open any more.
 */
export function insertAudit(act: Act, { verb, kind, target, before, after, from }: AuditedChange): Sql {
  return sql`INSERT INTO duework.audit_entries (by, via, from_address, reason, verb, kind, target, before, after)
      SELECT ${act.by ?? 'program'}::text, ${act.via ?? 'program'}::text, ${act.from ?? null}::text, ${act.reason ?? null}::text,
        CASE WHEN duework.require_transaction(${ownTransaction}::text, true) THEN ${verb}::text END, ${kind}::text, ${target}, ${before}, ${after}
      FROM ${from}`;
}

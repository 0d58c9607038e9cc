import type { Act } from '../../ports/act.js';
import { insertAudit } from './insert-audit.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** One change, for an entry; `before` and `after` are what JSON.stringify takes, without values of a payload. */
export interface WrittenChange {
  readonly verb: string;
  readonly kind: string;
  readonly target: string;
  readonly before?: object | null;
  readonly after?: object | null;
}

/** Writes an entry through the transaction of a verb that takes several statements; `db` has to be that transaction. */
export async function writeAudit(db: Queryable, act: Act, change: WrittenChange): Promise<void> {
  const { verb, kind, target, before = null, after = null } = change;
  await queryRows(
    db,
    sql`${insertAudit(act, {
      verb,
      kind,
      target: sql`${target}::text`,
      before: sql`${before === null ? null : JSON.stringify(before)}::text::jsonb`,
      after: sql`${after === null ? null : JSON.stringify(after)}::text::jsonb`,
      from: sql`(VALUES (1)) AS once (n)`,
    })} RETURNING id::text AS id`,
  );
}

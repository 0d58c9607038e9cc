import { queryRows, sql, type Queryable } from '@duework/sql';
import type { Act } from '../../ports/act.js';
import type { CancelledBatch } from '../../ports/batches.js';
import { insertAudit } from '../operate/insert-audit.js';
import { addUpBatches } from './add-up-batches.js';

/** Cancels the live jobs of a batch, a thousand a statement, each with an entry of the audit; then adds the batch up. */
export async function cancelBatch(db: Queryable, id: string, act: Act): Promise<CancelledBatch> {
  let [cancelled, requested] = [0, 0];
  for (let after: string | null = '0'; after !== null;) {
    const part = await cancelPart(db, id, after, act);
    cancelled += part.cancelled;
    requested += part.requested;
    after = part.upTo;
  }
  // where another is at it, maintenance comes
  await addUpBatches(db, [id]);
  return { cancelled, requested };
}

async function cancelPart(
  db: Queryable,
  id: string,
  after: string,
  act: Act,
): Promise<CancelledBatch & { readonly upTo: string | null }> {
  const { by = null, reason = null } = act;
  const [row] = await queryRows<CancelledBatch & { upTo: string | null }>(
    db,
    sql`WITH part AS MATERIALIZED (
      SELECT * FROM duework.cancel_batch(${id}::text, ${after}::text::bigint, ${by}::text, ${reason}::text)
    ),
    touched AS (SELECT * FROM part WHERE cancelled + requested > 0),
    audited AS (
      ${insertAudit(act, {
        verb: 'cancel',
        kind: 'batch',
        target: sql`${id}::text`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_build_object('cancelled', t.cancelled, 'requested', t.requested)`,
        from: sql`touched AS t`,
      })}
    )
    SELECT cancelled, requested, up_to::text AS "upTo" FROM part`,
  );
  return row!;
}

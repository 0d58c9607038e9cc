import { DueworkError } from '@duework/sql/errors';
import { ownTransaction, queryRows, sql, type Queryable } from '@duework/sql';
import type { NewSignal } from '../../ports/producer.js';

/**
 * Sends a signal to the run that has waited longest for it, or keeps it for the first that will; whether one waited. Throws
 * `isolation_too_high` where the transaction would not see who has begun to wait, and `not_in_transaction` where it has
 * ended.
 */
export async function sendSignal(db: Queryable, { name, key, payloadJson }: NewSignal): Promise<boolean> {
  const [row] = await queryRows<{ isAwaited: boolean | null; isolation: string }>(
    db,
    sql`
    SELECT current_setting('transaction_isolation') AS isolation,
      CASE WHEN current_setting('transaction_isolation') IN ('read committed', 'read uncommitted')
        THEN duework.signal(${name}::text, ${key}::text, ${payloadJson}::text::jsonb) END AS "isAwaited"
    WHERE duework.require_transaction(${ownTransaction}::text)`,
  );
  const { isAwaited, isolation } = row!;
  if (isAwaited === null) throw new DueworkError('isolation_too_high', { isolation });
  return isAwaited;
}

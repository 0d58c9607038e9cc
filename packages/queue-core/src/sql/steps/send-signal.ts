import { queryRows, sql, type Queryable } from '@duework/sql';
import type { NewSignal } from '../../ports/producer.js';

/** Sends a signal to the run that has waited longest for it, or keeps it for the first that will; whether one waited. */
export async function sendSignal(db: Queryable, { name, key, payloadJson }: NewSignal): Promise<boolean> {
  const [row] = await queryRows<{ isAwaited: boolean }>(
    db,
    sql`SELECT duework.signal(${name}::text, ${key}::text, ${payloadJson}::text::jsonb) AS "isAwaited"`,
  );
  return row!.isAwaited;
}

import { ownTransaction, queryRows, sql, type Queryable } from '@duework/sql';
import type { NewEvent, PublishedEvent } from '../../ports/producer.js';

/**
 * Writes a run for each type that subscribes to an event, in one statement. Throws `not_in_transaction` where the
 * transaction has ended, and `not_migrated`.
 */
export async function publishEvent(db: Queryable, event: NewEvent): Promise<PublishedEvent> {
  const { name, version, payloadJson, key, keepMs, metaJson } = event;
  const [row] = await queryRows<{ answer: string }>(
    db,
    sql`
    SELECT duework.publish_1(${name}::text, ${version}::integer, ${payloadJson}::text::jsonb, ${key}::text,
      ${keepMs === null ? null : String(keepMs)}::text::float8, ${metaJson}::text::jsonb) AS answer
    WHERE duework.require_transaction(${ownTransaction}::text)`,
  );
  const { jobs, ...about } = JSON.parse(row!.answer) as Omit<PublishedEvent, 'jobs'> & {
    readonly jobs: Readonly<Record<string, string>>;
  };
  return { ...about, jobs: Object.entries(jobs).map(([type, id]) => ({ type, id })) };
}

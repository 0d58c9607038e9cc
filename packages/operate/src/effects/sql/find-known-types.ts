import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** The types that a program has ever declared. */
export async function findKnownTypes(db: Queryable): Promise<readonly string[]> {
  return (await queryRows<{ type: string }>(db, sql`SELECT type FROM duework.job_definitions ORDER BY type`)).map(
    ({ type }) => type,
  );
}

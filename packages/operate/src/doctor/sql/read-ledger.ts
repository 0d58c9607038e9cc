import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** The migrations that were applied, by name; none where the schema is not there. */
export async function readLedger(db: Queryable): Promise<readonly AppliedMigration[]> {
  const [found] = await queryRows<{ hasLedger: boolean }>(
    db,
    sql`
    SELECT EXISTS (
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'duework' AND c.relname = 'migrations'
    ) AS "hasLedger"
  `,
  );
  if (found?.hasLedger !== true) return [];
  return queryRows(db, sql`SELECT name, checksum FROM duework.migrations ORDER BY name`);
}

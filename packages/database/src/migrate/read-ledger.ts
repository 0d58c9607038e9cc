import pg from 'pg';
import { DatabaseError } from '../database-error.js';

/** A row of the ledger: a migration that was applied, by whatever tool. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: Date;
}

/**
 * What was applied to a schema, in the order of the names; nothing when it has never been migrated.
 *
 * @throws DatabaseError `database_migration_failed` when the schema has tables and no ledger
 */
export async function readLedger(client: pg.Client, schema: string): Promise<readonly AppliedMigration[]> {
  const table = `${pg.escapeIdentifier(schema)}.migrations`;
  const { rows: found } = await client.query<{ has_ledger: boolean; has_tables: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL AS has_ledger,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $2) AS has_tables`,
    [table, schema],
  );
  if (found[0]?.has_ledger !== true) {
    if (found[0]?.has_tables === true) throw withoutLedger(schema);
    return [];
  }
  const { rows } = await client.query<{ name: string; checksum: string; applied_at: Date }>(
    `SELECT name, checksum, applied_at FROM ${table} ORDER BY name`,
  );
  return rows.map(({ name, checksum, applied_at: appliedAt }) => ({ name, checksum, appliedAt }));
}

const withoutLedger = (schema: string): DatabaseError =>
  new DatabaseError('database_migration_failed', {
    problem: `The schema "${schema}" has tables, but no record of its migrations: it was not made by them.`,
    fix: `Move it away (ALTER SCHEMA ${schema} RENAME TO ${schema}_old), then run: npx duework migrate`,
  });

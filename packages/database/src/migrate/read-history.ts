import pg from 'pg';
import type { MigrationRow } from './check-history.js';

/** The applied migrations of a schema; none when it has never been migrated. */
export async function readHistory(client: pg.Client, schema: string): Promise<readonly MigrationRow[]> {
  const table = `${pg.escapeIdentifier(schema)}._prisma_migrations`;
  const { rows: found } = await client.query<{ has_table: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS has_table',
    [table],
  );
  if (found[0]?.has_table !== true) return [];
  const { rows } = await client.query<{
    name: string;
    checksum: string;
    is_finished: boolean;
    is_rolled_back: boolean;
  }>(`
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS is_finished, rolled_back_at IS NOT NULL AS is_rolled_back
    FROM ${table} ORDER BY started_at`);
  return rows.map((row) => ({
    name: row.name,
    checksum: row.checksum,
    isFinished: row.is_finished,
    isRolledBack: row.is_rolled_back,
  }));
}

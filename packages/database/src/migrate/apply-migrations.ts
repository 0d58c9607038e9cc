import { DatabaseError } from '../database-error.js';
import { findErrorCause } from '../find-error-cause.js';
import type { DatabaseAddress } from '../parse-database-url.js';
import { openSchemaEngine } from './open-schema-engine.js';
import type { Migration } from './read-migrations.js';

/**
 * Applies the missing migrations, after recording that the `retried` ones were rolled back.
 *
 * @param shipped - all migrations: the engine finds out itself which ones are missing
 * @param schema - where their record is kept: one word, lower case
 * @throws DatabaseError `database_migration_failed` with PostgreSQL's own words
 */
export async function applyMigrations(
  address: DatabaseAddress,
  shipped: readonly Migration[],
  retried: readonly string[],
  schema: string,
): Promise<void> {
  const { engine, lastError, close } = await openSchemaEngine(address, schema);
  try {
    for (const migrationName of retried) await engine.markMigrationRolledBack({ migrationName });
    await engine.applyMigrations({
      migrationsList: {
        baseDir: '/prisma/migrations',
        lockfile: { path: './migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: shipped.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    });
  } catch (error) {
    throw describeEngineError(error as Error & { code?: string }, lastError(), schema);
  } finally {
    await close();
  }
}

/** The engine's message names its own source lines; PostgreSQL's message is the one that helps. */
function describeEngineError(error: Error & { code?: string }, refused: unknown, schema: string): unknown {
  if (error.code === 'P3005') {
    return new DatabaseError('database_migration_failed', {
      problem: `The schema "${schema}" has tables, but no record of its migrations.`,
      fix: `Restore ${schema}._prisma_migrations, or move the schema away: ALTER SCHEMA ${schema} RENAME TO ${schema}_old`,
      cause: error,
    });
  }
  if (refused === undefined) return error;
  const name = /migration_name="([^"]+)"/.exec(error.message)?.[1] ?? 'unknown';
  const { code, message } = findErrorCause(refused);
  return new DatabaseError('database_migration_failed', {
    problem: `PostgreSQL refused migration ${name}: ${message} (${code}). Nothing of it is in the database.`,
    fix: 'Correct the cause, then run: npm run migrate -- --retry-failed',
    cause: refused,
  });
}

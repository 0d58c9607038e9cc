import { type Migration, runsOutsideTransaction } from '../migration.js';
import { recordedSql, runOnce } from '../record-migration.js';
import { printForDrizzle } from './print-for-drizzle.js';
import { printForKnex } from './print-for-knex.js';
import type { PrintedFile, PrintedMigration } from './printed-file.js';

export type MigrationTool = 'prisma' | 'drizzle' | 'knex';

export interface PrintOptions {
  /** Whose migrations they become; none: plain SQL, in one file. */
  readonly tool?: MigrationTool | undefined;
  /** Time in their names, so that the tool runs them after its own. Default: now. */
  readonly at?: Date | undefined;
  /** Drizzle's meta/_journal.json as it is now; none: there is none yet. */
  readonly journal?: string | undefined;
}

/** The migrations as files of a tool; no file when there are no migrations. */
export function printFiles(
  migrations: readonly Migration[],
  { tool, at = new Date(), journal }: PrintOptions = {},
): readonly PrintedFile[] {
  if (migrations.length === 0) return [];
  const printed = migrations.map(printMigration);
  switch (tool) {
    case undefined:
      return [{ path: 'duework.sql', text: printed.map(({ sql }) => sql).join('\n') }];
    case 'prisma':
      return printed.map(({ label, sql }, index) => ({
        path: `${stamp(at, index)}_${label}/migration.sql`,
        text: sql,
      }));
    case 'knex':
      return printed.map(({ label, sql }, index) => ({
        path: `${stamp(at, index)}_${label}.cjs`,
        text: printForKnex(sql),
      }));
    case 'drizzle':
      return printForDrizzle(printed, at, journal);
  }
}

function printMigration(migration: Migration): PrintedMigration {
  const short = migration.name.replace(/^\d+_/, '');
  const sql = recordedSql(migration, 'duework');
  return {
    label: short === 'duework' ? short : `duework_${short}`,
    sql:
      `-- ${migration.name}, printed by: npx duework migrate sql. It records itself in duework.migrations, and does nothing\n` +
      '-- in a database that already has it. Do not edit it.\n\n' +
      // the tools run a migration in a transaction, which lets no index be built so
      runOnce(migration.name, runsOutsideTransaction(migration) ? sql.replaceAll(/ CONCURRENTLY\b/g, '') : sql),
  };
}

/** `20261123060000`, a second later for each. */
const stamp = (at: Date, index: number): string =>
  new Date(at.getTime() + index * 1_000).toISOString().replaceAll(/\.\d+Z$|\D/g, '');

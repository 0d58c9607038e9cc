import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { migrations } from '../generated/migrations.js';
import { findRecorded } from '../record-migration.js';
import { migrationFolders } from './migration-folders.js';
import { type MigrationTool, printFiles } from './print-files.js';
import type { PrintedFile } from './printed-file.js';

export interface WriteMigrationsOptions {
  readonly tool: MigrationTool;
  /** The folder of the tool's migrations. Default: the tool's own default, below the working directory. */
  readonly dir?: string | undefined;
  /** Writes nothing, and returns what it would write. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Writes Duework's migrations as migrations of another tool, without those that its folder already has: after an update of
 * Duework only the new ones. In a database that has them already they do nothing. Returns the files with their paths; none
 * when all are there.
 *
 * @throws DatabaseError `migration_folder_unusable`
 */
export function writeMigrations({
  tool,
  dir = migrationFolders[tool],
  dryRun = false,
}: WriteMigrationsOptions): readonly PrintedFile[] {
  const there = new Set(existsSync(dir) ? readTexts(dir).flatMap((text) => findRecorded(text, 'duework')) : []);
  const journal = join(dir, 'meta/_journal.json');
  const files = printFiles(
    migrations.filter(({ name }) => !there.has(name)),
    { tool, journal: tool === 'drizzle' && existsSync(journal) ? readFileSync(journal, 'utf8') : undefined },
  ).map(({ path, text }) => ({ path: join(dir, path), text }));
  if (!dryRun)
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  return files;
}

const readTexts = (dir: string): readonly string[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(sql|[cm]?[jt]s)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'));

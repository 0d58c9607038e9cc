import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One migration as shipped; `checksum` is what Prisma stores in `_prisma_migrations`: SHA-256 of the file, in hex. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Where Duework's migrations are: shipped inside dist, or in the source tree.
 *
 * @throws Error when they are at neither place: the package was built without them
 */
export function findMigrationsDir(): string {
  const shipped = fileURLToPath(new URL('../migrations', import.meta.url));
  const source = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
  const found = [shipped, source].find((dir) => existsSync(dir));
  if (found === undefined) throw new Error('The migrations are not shipped with @duework/database: build it again.');
  return found;
}

/** The migrations in the order in which they are applied. */
export function readMigrations(dir: string = findMigrationsDir()): readonly Migration[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dir, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

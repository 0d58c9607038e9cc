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
 * Where schema.prisma and migrations/ are: shipped inside dist, or at the root of the source tree.
 *
 * @throws Error when neither is there: the package was built without its migrations
 */
export function findPrismaDir(): string {
  const shipped = fileURLToPath(new URL('../prisma', import.meta.url));
  const source = fileURLToPath(new URL('../../../../prisma', import.meta.url));
  const found = [shipped, source].find((dir) => existsSync(join(dir, 'schema.prisma')));
  if (found === undefined) throw new Error('The migrations are not shipped with @duework/database: build it again.');
  return found;
}

/** The migrations in the order in which they are applied. */
export function readMigrations(prismaDir: string = findPrismaDir()): readonly Migration[] {
  const dir = join(prismaDir, 'migrations');
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dir, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

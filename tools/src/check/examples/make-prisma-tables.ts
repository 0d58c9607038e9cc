import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** Sends the migrations of a Prisma project, in their order. `prisma migrate` would download an engine first. */
export async function makePrismaTables(dir: string, db: pg.Client): Promise<void> {
  const migrations = join(dir, 'prisma/migrations');
  const names = readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  for (const name of names) await db.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
}

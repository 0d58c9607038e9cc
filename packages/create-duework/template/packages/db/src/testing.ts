import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@duework/embedded';
import { migrateDatabase } from 'duework/migrate';
import pg from 'pg';

/** A migrated database of its own for one test file: of TEST_DATABASE_URL, which must be empty, or an embedded one. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  const dir = await mkdtemp(join(tmpdir(), 'postgres-'));
  const server = given === undefined ? await startEmbeddedPostgres({ dataDir: join(dir, 'data'), port: 0 }) : null;
  const url = given ?? server!.url;
  await applyMigrations(url);
  await migrateDatabase({ url });
  return {
    url,
    drop: async () => {
      await server?.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function applyMigrations(url: string): Promise<void> {
  const folder = new URL('../prisma/migrations/', import.meta.url);
  const client = new pg.Client(url);
  await client.connect();
  for (const name of (await readdir(folder)).sort())
    if (!name.endsWith('.toml')) await client.query(await readFile(new URL(`${name}/migration.sql`, folder), 'utf8'));
  await client.end();
}

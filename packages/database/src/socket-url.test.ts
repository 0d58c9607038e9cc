import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkDatabase } from './check-database.js';
import { connectPg } from './connect-pg.js';
import { connectPrisma } from './connect-prisma.js';
import { migrateDatabase } from './migrate/migrate-database.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';

let database: TestDatabase;
let server: Server;
let folder: string;

/** A Unix socket that leads to the server, where libpq looks for it. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  folder = mkdtempSync(join(tmpdir(), 'duework-socket-'));
  server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => [near, far].forEach((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** As Cloud SQL gives it: no host where one stands, and the folder of the socket behind. */
function socketUrl(): string {
  const { username, password } = new URL(database.url);
  return `postgresql://${username}:${password}@/${database.name}?host=${folder}`;
}

test('the URL of a Unix socket works with every client and for migrations, as in libpq', async () => {
  const url = socketUrl();
  const pool = connectPg({ url, poolSize: 1 });
  const prisma = connectPrisma({ url, poolSize: 1 });
  try {
    await expect(checkDatabase(pool, url)).resolves.toBeUndefined();
    await expect(checkDatabase(prisma, url)).resolves.toBeUndefined();
    expect(await migrateDatabase({ url })).toMatchObject({ appliedMigrationNames: [] });
  } finally {
    await Promise.all([pool.$disconnect(), prisma.$disconnect()]);
  }
});

test.each([
  ['postgresql://app:secret@/app?host=/cloudsql/p:r:i', '/cloudsql/p:r:i:5432/app'],
  ['postgres://app@/app?host=/tmp', '/tmp:5432/app'],
  ['postgresql:///app?host=/var/run/postgresql', '/var/run/postgresql:5432/app'],
  ['postgresql://app@/app', 'localhost:5432/app'],
])('%s is read', (url, label) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ label, database: 'app' });
});

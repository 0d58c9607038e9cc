import { createHash } from 'node:crypto';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { migrations, runMigrations } from '@duework/database/migrate';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { enqueueMany, jobRequest } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openClient } from '../../kit/open-client.js';
import { releaseCatalog, step } from './contracts.js';

let database: TestDatabase;
let db: PrismaClient;
beforeEach(async () => {
  database = await createTestDatabase();
  db = connectPrisma({ url: database.url });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

const sql = 'ALTER TABLE duework.job_runs ADD COLUMN later integer;';
const later = { name: '29990101000000_later', sql, checksum: createHash('sha256').update(sql).digest('hex') };
const migrateLater = (more: { lockWaitMs?: number; onProgress?: (line: string) => void }) =>
  runMigrations({ url: database.url, schema: 'duework', migrations: [...migrations, later], ...more });

test('a migration that has to wait for a lock stops claims for less than a second, and is applied once the lock is free', async () => {
  // a report that reads the queue and does not end
  const reader = await openClient(database.url, { application_name: 'report' });
  await reader.query('BEGIN; SELECT FROM duework.job_runs');

  const finishedAt: number[] = [];
  const over = new AbortController();
  const { worker } = await startTestWorker(db, {
    catalog: releaseCatalog,
    handlers: { step: () => void finishedAt.push(performance.now()), keyed: () => {} },
  });
  const producing = (async () => {
    while (!over.signal.aborted) await enqueueMany(db, [jobRequest(step, { n: 1 })]);
  })();

  // where nothing gives up its lock, the reader ends at last
  const giveUp = setTimeout(() => void reader.query('COMMIT'), 15_000);
  const lines: string[] = [];
  const migrating = migrateLater({
    onProgress: (line) => {
      lines.push(line);
      // it has waited twice
      if (lines.filter((told) => told.includes('waits for a lock')).length === 2) void reader.query('COMMIT');
    },
  });
  expect(await migrating).toMatchObject({ appliedMigrationNames: [later.name] });
  clearTimeout(giveUp);
  over.abort();
  await producing;
  await worker.stop({ deadlineMs: 5_000 });
  await reader.end();
  expect(lines.some((line) => /waits for a lock that others hold \(.*pid \d+, report, since/.test(line))).toBe(true);
  const gaps = finishedAt.slice(1).map((at, index) => at - (finishedAt[index] ?? at));
  expect(Math.max(...gaps)).toBeLessThan(1_000);
});

test('a migration that never gets its locks gives up, leaves nothing behind, and says who holds them', async () => {
  const reader = await openClient(database.url, { application_name: 'report' });
  await reader.query('BEGIN; SELECT FROM duework.job_runs');
  await expect(migrateLater({ lockWaitMs: 0 })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringMatching(/29990101000000_later did not get its locks.*report/),
    fix: expect.stringContaining('npx duework migrate'),
  });
  await reader.query('COMMIT');
  await reader.end();
  expect(await migrateLater({})).toMatchObject({ appliedMigrationNames: [later.name] });
});

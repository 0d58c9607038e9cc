import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { migrateDatabase, migrations } from '@duework/database/migrate';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { enqueue, openQueue } from '@duework/queue-core';
import { createTicker, getSchedule } from '@duework/schedules';
import { startTestWorker, waitForJob } from '@duework/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { openClient } from '../../kit/open-client.js';
import { dumpDatabase } from '../../write/schema/dump-database.js';
import { keyed, releaseCatalog } from './contracts.js';

const folder = join(root, 'packages/database/releases');
const releases = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace(/\.sql$/, ''));

let database: TestDatabase;
let db: PrismaClient;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  db = connectPrisma({ url: database.url });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

/** A database as the release has left it. */
async function load(release: string): Promise<void> {
  const client = await openClient(database.url);
  await client.query(readFileSync(join(folder, `${release}.sql`), 'utf8'));
  await client.end();
}

describe.each(releases)('a database of release %s', (release) => {
  test('is upgraded to the schema that a new one gets', async () => {
    await load(release);
    const { appliedMigrationNames, alreadyAppliedCount } = await migrateDatabase({ url: database.url });
    expect(appliedMigrationNames.length + alreadyAppliedCount).toBe(migrations.length);
    const fresh = await createTestDatabase();
    expect(await dumpDatabase(database.url)).toBe(await dumpDatabase(fresh.url));
    await fresh.drop();
  });

  test('has its jobs run by the worker of today, those that were running too', async () => {
    await load(release);
    await migrateDatabase({ url: database.url });
    const waiting = await db.$queryRaw<{ id: bigint }[]>`
      UPDATE duework.job_runs SET run_at = now() WHERE status <> 'running' RETURNING id`;
    const running = await db.$queryRaw<{ id: bigint }[]>`
      UPDATE duework.job_runs SET locked_until = now() WHERE status = 'running' RETURNING id`;
    expect([waiting.length, running.length]).toEqual([3, 1]);
    const { worker } = await startTestWorker(db, {
      catalog: releaseCatalog,
      handlers: { step: () => {}, keyed: () => {} },
    });
    for (const { id } of [...waiting, ...running])
      await waitForJob(openQueue(db), String(id), { status: 'succeeded', timeoutMs: 20_000 });
    await worker.stop({ deadlineMs: 5_000 });
  });

  test('keeps its keys, its dead runs and its schedules', async () => {
    await load(release);
    await migrateDatabase({ url: database.url });
    const [held] = await db.$queryRaw<[{ id: bigint }]>`SELECT run_id AS id FROM duework.job_keys`;
    expect(await enqueue(db, keyed, { n: 1 })).toMatchObject({ id: String(held.id) });
    const { jobs } = await openQueue(db).findJobs({ status: 'dead' });
    expect(jobs).toMatchObject([{ type: 'step', errorCode: 'no_such_thing' }]);
    await createTicker({ db, catalog: releaseCatalog }).tick();
    expect((await getSchedule(db, 'minutely')).nextSlotAt?.getTime()).toBeGreaterThan(Date.now());
  });
});

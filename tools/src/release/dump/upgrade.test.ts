import { connectPrisma, type PrismaClient } from '@duework/database';
import { migrateDatabase, migrations, runMigrations } from '@duework/database/migrate';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { enqueue, openQueue } from '@duework/queue-core';
import { createTicker, getSchedule } from '@duework/schedules';
import { startTestWorker } from '@duework/testing';
import { untilJob } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { openClient } from '../../kit/open-client.js';
import { dumpDatabase } from '../../write/schema/dump-database.js';
import { readDumps } from '../dry/read-dumps.js';
import { keyed, releaseCatalog } from './contracts.js';
import { dumpRows } from './dump-rows.js';
import { fillDatabase } from './fill-database.js';

/** A database as it was once, before it is upgraded. */
interface Former {
  readonly name: string;
  /** Fills an empty database. */
  readonly load: (url: string) => Promise<void>;
}

const released = readDumps(root).map(({ version, text }): Former => ({
  name: `of release ${version}`,
  load: (url) => run(url, text),
}));

/** What the first release will be upgraded from is made here: all but the last migration, with the rows of today. */
const lacking: Former = {
  name: 'that lacks the last migration',
  load: async (url) => {
    await runMigrations({ url, schema: 'duework', migrations: migrations.slice(0, -1) });
    await run(url, await dumpKnownRows(url));
  },
};

/** The rows of a database that is up to date, as far as the one of `url` has a table for them. */
async function dumpKnownRows(url: string): Promise<string> {
  const filled = await createTestDatabase();
  let rows = '';
  await fillDatabase(filled.url, async () => void (rows = await dumpRows(filled.url)));
  await filled.drop();
  const client = await openClient(url);
  const known = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'duework'::regnamespace`,
  );
  await client.end();
  const names = new Set(known.rows.map(({ name }) => name));
  return rows
    .split('\n')
    .filter((line) => names.has(/^(?:INSERT INTO |SELECT setval\(')([\w.]+)/.exec(line)?.[1] ?? ''))
    .join('\n');
}

async function run(url: string, sql: string): Promise<void> {
  const client = await openClient(url);
  await client.query(sql);
  await client.end();
}

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

describe.each([...released, lacking])('a database $name', ({ load }) => {
  test('is upgraded to the schema that a new one gets', async () => {
    await load(database.url);
    const { appliedMigrationNames, alreadyAppliedCount } = await migrateDatabase({ url: database.url });
    expect(appliedMigrationNames.length + alreadyAppliedCount).toBe(migrations.length);
    expect(alreadyAppliedCount).toBeGreaterThan(0);
    const fresh = await createTestDatabase();
    expect(await dumpDatabase(database.url)).toBe(await dumpDatabase(fresh.url));
    await fresh.drop();
  });

  test('has its jobs run by the worker of today, those that were running too', async () => {
    await load(database.url);
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
    for (const { id } of [...waiting, ...running]) await untilJob(openQueue(db), String(id), { status: 'succeeded' });
    await worker.stop({ deadlineMs: 5_000 });
  });

  test('keeps its keys, its dead runs and its schedules', async () => {
    await load(database.url);
    await migrateDatabase({ url: database.url });
    const [held] = await db.$queryRaw<[{ id: bigint }]>`SELECT run_id AS id FROM duework.job_keys`;
    expect(await enqueue(db, keyed, { n: 1 })).toMatchObject({ id: String(held.id) });
    const { jobs } = await openQueue(db).findJobs({ status: 'dead' });
    expect(jobs).toMatchObject([{ type: 'step', errorCode: 'no_such_thing' }]);
    await createTicker({ db, catalog: releaseCatalog }).tick();
    expect((await getSchedule(db, 'minutely')).nextDueAt?.getTime()).toBeGreaterThan(Date.now());
  });
});

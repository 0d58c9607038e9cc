import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectPg, type PgClient } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { createTestDatabase, type TestDatabase, testServerVariable, withServer } from '@duework/database/testing';
import { defineJob } from '@duework/contracts';
import { enqueue, getJob } from '@duework/queue-core';
import { claimRuns } from '@duework/queue-core/internals';
import { findSchedules } from '@duework/schedules';
import pg from 'pg';
import { z } from 'zod';
import { startFixture } from './testing/start-fixture.js';
import { killWorkers, type WorkerProcess } from './testing/start-worker-process.js';
import { until } from './testing/until.js';

const payload = z.object({ of: z.string() });
const wait = defineJob({ type: 'wait', payload, timeout: '10m' });
const limited = defineJob({ type: 'limited', payload, limits: [{ name: 'limited', max: 1 }] });
const alone = defineJob({ type: 'alone', payload, unique: { by: 'of', while: 'kept' } });
const pay = defineJob({ type: 'pay', payload });

let database: TestDatabase;
let db: PgClient;
const connect = (): void => void (db = connectPg({ url: database.url, poolSize: 2, onConnectionLost: () => {} }));
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  await migrateDatabase({ url: database.url });
  connect();
});
afterEach(async () => {
  killWorkers();
  await db.$disconnect();
  await database.drop();
});

const query = (text: string): Promise<void> =>
  withServer(database.url, async (client) => void (await client.query(text)));
const ways: Record<string, () => Promise<void>> = {
  'the schema is dropped': () => query('DROP SCHEMA duework CASCADE'),
  'the database is dropped': async () => {
    const name = pg.escapeIdentifier(database.name);
    await withServer(process.env[testServerVariable]!, async (client) => {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    });
  },
};

const fourOf = (of: string): object[] => Array.from({ length: 4 }, () => ({ of }));

async function start(): Promise<WorkerProcess> {
  const worker = startFixture('replaced', { env: { DATABASE_URL: database.url, SHUTDOWN_DEADLINE_MS: '200' } });
  await worker.line('worker.started');
  return worker;
}
const resultOf = async (id: string): Promise<unknown> => {
  await until(async () => (await getJob(db, id)).job.status === 'succeeded');
  return (await getJob(db, id)).job.result;
};
/** Enqueues one of each that a database remembers something for, and returns what they came to. */
async function useAll(of: string): Promise<unknown[]> {
  const first = await enqueue(db, alone, { of });
  const second = await enqueue(db, alone, { of });
  expect(second.id).toBe(first.id);
  const jobs = [first];
  for (const contract of [limited, limited, pay]) jobs.push(await enqueue(db, contract, { of }));
  const results = [];
  for (const { id } of jobs) results.push(await resultOf(id));
  return results;
}
/** The first job of a new database, with the number and the fence of the first one of the old. */
async function claimedByAnother(): Promise<{ readonly id: string }> {
  return db.$transaction(async (tx) => {
    const job = await enqueue(tx, wait, { of: 'new' });
    const contracts = new Map([['wait', wait]]);
    expect((await claimRuns(tx, { queue: 'default', contracts, worker: 'another', limit: 1 })).runs).toHaveLength(1);
    return job;
  });
}

test.each(Object.entries(ways))(
  'a worker under which %s and made anew settles nothing in it, ends with exit code 5, and the next one works by what is there',
  async (_, drop) => {
    const worker = await start();
    const old = await enqueue(db, wait, { of: 'old' });
    await worker.line('job.claimed', { id: old.id });
    expect(await useAll('old')).toEqual(fourOf('old'));

    await drop();
    await migrateDatabase({ url: database.url });
    await db.$disconnect();
    connect();
    const anew = await claimedByAnother();
    expect(anew.id).toBe(old.id);
    expect(await worker.ended).toBe(5);
    expect(worker.lines.filter(({ msg }) => msg === 'database.replaced')).toHaveLength(1);
    expect((await getJob(db, anew.id)).job).toMatchObject({ status: 'running', attempts: 1, fence: 1 });
    expect((await findSchedules(db)).schedules).toEqual([]);

    await query('UPDATE duework.job_runs SET locked_until = now()');
    await start();
    expect((await findSchedules(db)).schedules.map(({ key }) => key)).toEqual(['pay']);
    expect(await useAll('new')).toEqual(fourOf('new'));
    expect(await resultOf(anew.id)).toEqual({ of: 'new' });
    expect((await getJob(db, anew.id)).job).toMatchObject({ attempts: 2, fence: 2 });
  },
);

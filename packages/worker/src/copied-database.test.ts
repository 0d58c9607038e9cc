import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, withDatabaseName, withServer } from '@duework/database/testing';
import { emptyCopy, moveOrigin, readAudit, readOrigin, runDoctor } from '@duework/operate';
import { addToBatch, enqueue, enqueueBatch, findJobs, jobRequest, signal } from '@duework/queue-core';
import { findSchedules, saveSchedule } from '@duework/schedules';
import { originOf } from '@duework/shards';
import { useOwnServer } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const mail = defineJob({ type: 'mail', payload: z.object({ n: z.int() }) });
const whole = defineJob({ type: 'whole', payload: z.object({}) });
const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([mail, whole]);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const elsewhere = useOwnServer();

const closing: (() => Promise<unknown>)[] = [];
/** What production has sent, and what a copy has. */
let sent: string[] = [];
beforeEach(() => void (sent = []));
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** One wake-up of a worker: does all that is due. Its exit code, or the error with which it does not start. */
const work = (databaseUrl: string, as: string): Promise<unknown> =>
  runWorker({
    catalog,
    handlers: {
      mail: ({ payload }) => void sent.push(`${as} ${payload.n}`),
      whole: () => {},
    },
    databaseUrl,
    workerPort: 'none',
    log: silent,
    handleSignals: false,
    once: { maxRuntime: '20s' },
  }).catch((error: unknown) => error);

function connect(url: string): PgClient {
  const db = connectPg({ url, poolSize: 1 });
  closing.push(() => db.$disconnect());
  return db;
}

/** A system that has sent a mail, is about to send another one, and has more to come. */
async function makeProduction(): Promise<{ url: string; name: string }> {
  const database = await createTestDatabase();
  closing.push(() => database.drop());
  const db = connectPg({ url: database.url, poolSize: 1 });
  await enqueue(db, mail, { n: 1 });
  expect(await work(database.url, 'production')).toBe(0);
  await enqueue(db, mail, { n: 2 });
  await enqueue(db, mail, { n: 3 }, { delay: '1h' });
  const { id } = await enqueueBatch(db, { jobs: [jobRequest(mail, { n: 4 })], onSettled: jobRequest(whole, {}) });
  await addToBatch(db, id, [jobRequest(mail, { n: 5 })]);
  await signal(db, paid, { n: 1 });
  await saveSchedule(db, mail, { key: 'daily', every: '24h', payload: { n: 6 } });
  await originOf(db);
  await db.$disconnect();
  return database;
}

/** As staging is often filled: with all that production has. */
async function copy({ url, name }: { url: string; name: string }): Promise<string> {
  const of = `${name}_${randomBytes(3).toString('hex')}`;
  await withServer(withDatabaseName(url, 'postgres'), (client) =>
    client.query(`CREATE DATABASE ${of} TEMPLATE ${name}`),
  );
  closing.push(() =>
    withServer(withDatabaseName(url, 'postgres'), (client) => client.query(`DROP DATABASE ${of} WITH (FORCE)`)),
  );
  return withDatabaseName(url, of);
}

test('no worker starts on a copy, whose jobs production does, until somebody has said what it is; the doctor says so', async () => {
  const production = await makeProduction();
  const url = await copy(production);
  const refused = { code: 'database_copied', message: expect.stringContaining('npx duework origin empty') };
  expect(await work(url, 'copy')).toMatchObject(refused);
  expect(await work(url, 'copy')).toMatchObject(refused);
  expect((await runDoctor(connect(url))).findings.map(({ code }) => code)).toContain('database_copied');
  expect((await runDoctor(connect(production.url))).findings.map(({ code }) => code)).not.toContain('database_copied');
  expect(sent).toEqual(['production 1']);
  expect(await work(production.url, 'production')).toBe(0);
  expect(sent.toSorted()).toEqual([1, 2, 4, 5].map((n) => `production ${n}`));
});

test('a copy that was emptied sends nothing of what waited, and fires no schedule; what is over is kept', async () => {
  const url = await copy(await makeProduction());
  const db = connect(url);
  const name = await originOf(db);
  expect(await emptyCopy(db, { by: 'person:ana' })).toEqual({ jobs: 4, schedules: 1 });
  expect(await readOrigin(db)).toMatchObject({ whyNotAtHome: null, jobs: 0, schedules: 0 });
  expect(await work(url, 'copy')).toBe(0);
  expect(sent).toEqual(['production 1']);
  expect((await findSchedules(db)).schedules).toMatchObject([{ key: 'daily', isPaused: true }]);
  expect((await findJobs(db)).jobs).toMatchObject([{ status: 'succeeded', payload: { n: 1 } }]);
  // its forwards are other ones than production's
  expect(await originOf(db)).not.toBe(name);
  const { entries } = await readAudit(db, { kind: 'database' });
  expect(entries).toMatchObject([{ by: 'person:ana', verb: 'empty_copy', after: { jobs: 4, schedules: 1 } }]);
  await enqueue(db, mail, { n: 7 });
  expect(await work(url, 'copy')).toBe(0);
  expect(sent).toEqual(['production 1', 'copy 7']);
});

test('a system that has moved goes on with what waits, and keeps its name', async () => {
  const url = await copy(await makeProduction());
  const db = connect(url);
  const name = await originOf(db);
  await moveOrigin(db, { by: 'person:ana' });
  expect(await work(url, 'moved')).toBe(0);
  expect(sent.toSorted()).toEqual(['moved 2', 'moved 4', 'moved 5', 'production 1']);
  expect(await originOf(db)).toBe(name);
  expect((await readAudit(db, { kind: 'database' })).entries).toMatchObject([{ verb: 'move_origin' }]);
});

test('a restored dump is found in another cluster, too, also where the database has the same number there', async () => {
  const db = elsewhere.db;
  expect(await work(elsewhere.url, 'here')).toBe(0);
  await db.$executeRaw`UPDATE duework.origin SET cluster = '7000000000000000001'`;
  expect(await work(elsewhere.url, 'copy')).toMatchObject({ code: 'database_copied' });
  await emptyCopy(db);
  expect(await work(elsewhere.url, 'here')).toBe(0);
  // whoever may not ask for the cluster tells databases apart by their numbers
  await db.$executeRaw`REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC`;
  await db.$executeRaw`CREATE ROLE managed LOGIN PASSWORD 'managed' IN ROLE pg_read_all_data, pg_write_all_data`;
  await db.$executeRaw`GRANT USAGE ON SCHEMA duework TO managed`;
  const asked = connect(Object.assign(new URL(elsewhere.url), { username: 'managed', password: 'managed' }).toString());
  expect(await readOrigin(asked)).toMatchObject({ whyNotAtHome: null, here: expect.stringMatching(/^unknown \d+$/) });
  await db.$executeRaw`UPDATE duework.origin SET database = 1`;
  expect(await readOrigin(asked)).toMatchObject({ whyNotAtHome: 'copied' });
});

test('databases that were made from one template, in which no worker has started, are at home', async () => {
  const [one, other] = [await createTestDatabase(), await createTestDatabase()];
  closing.push(one.drop, other.drop);
  expect(await readOrigin(connect(one.url))).toMatchObject({ noted: null, whyNotAtHome: null });
  expect([await work(one.url, 'one'), await work(other.url, 'other')]).toEqual([0, 0]);
  expect([await work(one.url, 'one'), await work(other.url, 'other')]).toEqual([0, 0]);
});

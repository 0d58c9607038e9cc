import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase } from '@duework/database/testing';
import {
  holdMaybeDone,
  readAudit,
  readMaybeDone,
  readOrigin,
  runDoctor,
  searchJobs,
  startBulkAction,
  stepBulkActions,
  undoBulkAction,
} from '@duework/operate';
import { enqueue, getJob } from '@duework/queue-core';
import { claimRuns } from '@duework/queue-core/internals';
import { findSchedules, saveSchedule } from '@duework/schedules';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const mail = defineJob({ type: 'mail', payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([mail]);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const ANA = { by: 'person:ana' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: PgClient;
let sent: number[] = [];
beforeEach(async () => {
  sent = [];
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 1 });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

/** One wake-up of a worker: does all that is due. Its exit code, or the error with which it does not start. */
const work = (): Promise<unknown> =>
  runWorker({
    catalog,
    handlers: { mail: ({ payload }) => void sent.push(payload.n) },
    databaseUrl: database.url,
    workerPort: 'none',
    log: silent,
    handleSignals: false,
    once: { maxRuntime: '20s' },
  }).catch((error: unknown) => error);

/** As a backup has it: a job that ran, one that waits, one whose worker is at it, one for later, and a schedule. */
async function makeBackup(): Promise<{ waiting: string; running: string; later: string }> {
  await enqueue(db, mail, { n: 1 });
  expect(await work()).toBe(0);
  const { id: running } = await enqueue(db, mail, { n: 2 });
  await claimRuns(db, { queue: 'default', contracts: new Map([['mail', mail]]), worker: 'gone', limit: 1 });
  const { id: waiting } = await enqueue(db, mail, { n: 3 });
  const { id: later } = await enqueue(db, mail, { n: 4 }, { delay: '1h' });
  await saveSchedule(db, mail, { key: 'nightly', every: '24h', payload: { n: 5 } });
  await saveSchedule(db, mail, { key: 'weekly', every: '168h', payload: { n: 6 } });
  await query(
    `UPDATE duework.schedules SET next_due_at = now() - interval '1 hour', tick_at = now() - interval '1 hour' WHERE key = 'nightly'`,
  );
  return { waiting, running, later };
}

const query = (text: string): Promise<unknown> => db.$queryRaw({ text, values: [] } as never);
/** The server goes on in another timeline than the one that was noted, a time after a worker was here. */
const recover = async (ago: string): Promise<void> => {
  await query(`UPDATE duework.origin SET timeline = timeline + 1`);
  await query(`UPDATE duework.chores SET taken_at = now() - interval '${ago}'`);
};

test('no worker starts on another timeline where none has been for ten minutes, as after a restored backup; the doctor says so', async () => {
  await makeBackup();
  await recover('11 minutes');
  expect(await work()).toMatchObject({
    code: 'database_copied',
    message: expect.stringContaining('npx duework origin restored'),
  });
  expect(await readOrigin(db)).toMatchObject({ whyNotAtHome: 'restored', seenAt: expect.stringMatching(/Z$/) });
  const { findings } = await runDoctor(db);
  expect(findings.find(({ code }) => code === 'database_copied')).toMatchObject({
    sentence: expect.stringContaining('another timeline'),
  });
  expect(sent).toEqual([1]);
});

test('a standby that takes over begins a timeline, too, and workers start there, then and later', async () => {
  await enqueue(db, mail, { n: 1 });
  expect(await work()).toBe(0);
  await recover('1 minute');
  await enqueue(db, mail, { n: 2 });
  expect(await work()).toBe(0);
  await query(`UPDATE duework.chores SET taken_at = now() - interval '3 days'`);
  expect(await work()).toBe(0);
  expect(sent).toEqual([1, 2]);
});

test('what may have run after the backup is held back, and nothing else', async () => {
  const { waiting, running, later } = await makeBackup();
  await recover('5 hours');
  expect(await readMaybeDone(db)).toEqual({ types: [{ type: 'mail', jobs: 2 }], schedules: ['nightly'], workers: [] });
  const { action, schedules } = await holdMaybeDone(db, ANA);
  expect([action?.done, action?.status, schedules]).toEqual([2, 'finished', 1]);
  expect((await searchJobs(db, { filter: `bulk:${action!.id}` })).jobs.map(({ id }) => id).sort()).toEqual(
    [waiting, running].sort(),
  );
  const before = (await getJob(db, later)).job.runAt;
  await enqueue(db, mail, { n: 7 });
  expect(await work()).toBe(0);
  expect(sent).toEqual([1, 7]);
  expect((await getJob(db, later)).job.runAt).toEqual(before);
  const paused = (await findSchedules(db)).schedules.filter(({ isPaused }) => isPaused);
  expect(paused).toMatchObject([{ key: 'nightly' }]);
  const { entries } = await readAudit(db, { by: 'person:ana' });
  expect(entries.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['ready_restored', 'move_origin']));
});

test('somebody decides: what did not happen runs, what did is cancelled, and all of it can be undone for an hour', async () => {
  const { waiting, running } = await makeBackup();
  await recover('5 hours');
  const { action } = await holdMaybeDone(db);
  const decide = async (verb: 'retry' | 'cancel', id: string): Promise<void> => {
    await startBulkAction(db, [], { verb, filter: `bulk:${action!.id} status:queued,failed id:${id}` }, ANA);
    await stepBulkActions(db, [], new AbortController().signal);
  };
  await decide('cancel', waiting);
  await decide('retry', running);
  expect(await work()).toBe(0);
  expect(sent).toEqual([1, 2]);
  expect((await getJob(db, waiting)).job.status).toBe('cancelled');

  const { id: other } = await enqueue(db, mail, { n: 8 });
  const again = await holdMaybeDone(db);
  expect(await work()).toBe(0);
  await undoBulkAction(db, again.action!.id);
  await stepBulkActions(db, [], new AbortController().signal);
  expect(await work()).toBe(0);
  expect((await getJob(db, other)).job.status).toBe('succeeded');
});

test('where nothing is due, it only lets workers start', async () => {
  await enqueue(db, mail, { n: 1 });
  expect(await work()).toBe(0);
  await recover('1 day');
  expect(await work()).toMatchObject({ code: 'database_copied' });
  expect(await holdMaybeDone(db)).toEqual({ action: null, schedules: 0 });
  expect(await work()).toBe(0);
});

test('nothing is held back while a worker is at work, which would run it meanwhile', async () => {
  const { waiting } = await makeBackup();
  const lock = connectPg({ url: database.url, poolSize: 1 });
  try {
    await query(`INSERT INTO duework.workers (name) VALUES ('alive')`);
    await lock.$queryRaw({
      text: "SELECT pg_advisory_lock_shared(hashtext('duework.workers'), hashtext('alive'))::text",
      values: [],
    } as never);
    await expect(holdMaybeDone(db)).rejects.toMatchObject({ code: 'invalid_option', facts: { value: 'alive' } });
    expect((await getJob(db, waiting)).job.runAt.getTime()).toBeLessThanOrEqual(Date.now());
  } finally {
    await lock.$disconnect();
  }
});

test('a job that is new gets an id that no job of the time that is missing has had', async () => {
  const { waiting } = await makeBackup();
  await recover('5 hours');
  await holdMaybeDone(db);
  const { id } = await enqueue(db, mail, { n: 9 });
  expect(BigInt(id) - BigInt(waiting)).toBeGreaterThan(9_000_000_000n);
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import {
  cancelJob,
  createKeyRing,
  enqueue,
  enqueueMany,
  getJob,
  jobRequest,
  retryJob,
  setKeyRing,
  unsealPayload,
} from '@duework/queue-core';
import { folderStore, setOffload } from '@duework/queue-core/objects';
import { claimRuns } from '@duework/queue-core/internals';
import { getSchedule, saveSchedule } from '@duework/schedules';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { reencryptPayloads } from './reencrypt-payloads.js';

const database = useTestDatabase();
afterEach(async () => {
  setKeyRing(null);
  await emptyTables(database.db, 'job_runs, schedules, job_history');
});

const key = (): string => randomBytes(32).toString('base64');
const [k1, k2] = [key(), key()];
const old = createKeyRing({ current: 'k1', keys: { k1 } });
const both = createKeyRing({ current: 'k2', keys: { k1, k2 } });
const only2 = createKeyRing({ current: 'k2', keys: { k2 } });

const pay = defineJob({
  type: 'pay',
  payload: z.object({ n: z.int(), ibans: z.record(z.string(), z.string()) }),
  sensitive: ['/ibans/*'],
});
const catalog = defineCatalog([pay]);
const payloadOf = (n: number) => ({ n, ibans: { 'a/b~c': `DE89${n}` } });
const NOTHING = { rewritten: 0, passed: 0, missing: {} };

test('everything that waits or may come back is encrypted with the current key, and the old one is needed no more', async () => {
  setKeyRing(old);
  const many = await enqueueMany(
    database.db,
    Array.from({ length: 600 }, (_, n) => jobRequest(pay, payloadOf(n))),
  );
  await cancelJob(database.db, many[0]!.id);
  await saveSchedule(database.db, pay, { key: 'later', at: new Date(Date.now() + 86_400_000), payload: payloadOf(-1) });
  expect(await reencryptPayloads(database.db, only2)).toMatchObject({ rewritten: 0, missing: { k1: 601 } });
  expect(await reencryptPayloads(database.db, both)).toEqual({ checked: 601, rewritten: 601, passed: 0, missing: {} });
  expect(await reencryptPayloads(database.db, only2)).toMatchObject(NOTHING);
  setKeyRing(only2);
  await retryJob(database.db, many[0]!.id);
  const got = new Set<number>();
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { pay: ({ payload }) => void got.add(payload.n) },
  });
  await events.waitFor('job.succeeded', 600);
  await worker.stop({ deadlineMs: 1_000 });
  expect(got.size).toBe(600);
  const { payload, version } = await getSchedule(database.db, 'later');
  expect(unsealPayload(pay, version, payload)).toEqual(payloadOf(-1));
});

test('the audit tells who encrypted anew, with which key, and how many of what', async () => {
  setKeyRing(old);
  await enqueueMany(
    database.db,
    Array.from({ length: 3 }, (_, n) => jobRequest(pay, payloadOf(n))),
  );
  const act = { by: 'command:root@host1', via: 'command', reason: 'k1 is a year old' } as const;
  await reencryptPayloads(database.db, both, { act });
  await reencryptPayloads(database.db, both, { act });
  const entries = await database.db.auditEntry.findMany({ where: { by: act.by } });
  expect(entries).toMatchObject([
    { ...act, verb: 'reencrypt_payloads', kind: 'payloads', target: 'runs', after: { keyId: 'k2', payloads: 3 } },
  ]);
});

test('a run that runs is passed by, and the next call says what became of it', async () => {
  setKeyRing(old);
  const { id } = await enqueue(database.db, pay, payloadOf(1));
  await claimRuns(database.db, { queue: 'default', contracts: new Map([['pay', pay]]), worker: 'w', limit: 1 });
  const before = (await getJob(database.db, id)).job.payload;
  expect(await reencryptPayloads(database.db, both)).toMatchObject({ rewritten: 0, passed: 1 });
  expect((await getJob(database.db, id)).job.payload).toEqual(before);
});

test('an edit that comes between reading and writing is not undone', async () => {
  setKeyRing(old);
  const { id } = await enqueue(database.db, pay, payloadOf(1));
  const hindered = {
    $queryRaw: async (statement: { text: string }, ...rest: unknown[]) => {
      if (statement.text.includes('UPDATE'))
        await database.db.$executeRaw`UPDATE duework.job_runs SET payload = jsonb_set(payload, '{n}', '7')`;
      return database.connectPg().$queryRaw(statement as never, ...(rest as []));
    },
  };
  expect(await reencryptPayloads(hindered as never, both)).toMatchObject({ rewritten: 0, passed: 1 });
  expect((await getJob(database.db, id)).job.payload).toMatchObject({ n: 7 });
});

test('with the catalog, what was stored in plain text is encrypted, too', async () => {
  const { id } = await enqueue(database.db, pay, payloadOf(1));
  expect(await reencryptPayloads(database.db, both)).toMatchObject(NOTHING);
  expect(await reencryptPayloads(database.db, both, { catalog })).toMatchObject({ rewritten: 1 });
  expect((await getJob(database.db, id)).job.payload).toEqual({
    n: 1,
    ibans: { 'a/b~c': { $sealed: expect.stringMatching(/^k2:/) } },
  });
});

test('a payload in an object is encrypted anew, in another object, and where there is no store its key is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duework-reencrypt-'));
  setOffload({ above: '1kB', store: folderStore(folder) });
  setKeyRing(old);
  const large = { n: 1, ibans: { one: 'x'.repeat(5_000) } };
  await enqueue(database.db, pay, large);
  setOffload(null);
  expect(await reencryptPayloads(database.db, both)).toMatchObject({ rewritten: 0, missing: { k1: 1 } });
  setOffload({ above: '1kB', store: folderStore(folder) });
  expect(await reencryptPayloads(database.db, both)).toMatchObject({ rewritten: 1, missing: {} });
  expect(await reencryptPayloads(database.db, only2)).toMatchObject(NOTHING);
  setKeyRing(only2);
  const got: unknown[] = [];
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { pay: ({ payload }) => void got.push(payload) },
  });
  await events.waitFor('job.succeeded');
  await worker.stop({ deadlineMs: 1_000 });
  setOffload(null);
  await rm(folder, { recursive: true });
  expect(got).toEqual([large]);
});

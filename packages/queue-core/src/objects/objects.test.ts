import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { createMemoryQueue, startTestWorker } from '@duework/testing';
import { emptyTables, gate, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueBatch } from '../batches/enqueue-batch.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { openQueue } from '../queue/open-queue.js';
import { getJob, retryJob, updateJob } from '../queue/operate.js';
import type { Handlers } from '../run/handler.js';
import { setKeyRing } from '../secrets/current-key-ring.js';
import { createKeyRing } from '../secrets/key-ring.js';
import { complete } from '../settle/outcome.js';
import type { Worker } from '../worker/create-worker.js';
import { setOffload } from './current-offload.js';
import { folderStore } from './folder-store.js';
import { offloadedIn } from './object-ref.js';
import type { ObjectStore } from './object-store.js';
import { openObject } from './open-object.js';
import { putObject } from './put-object.js';
import { pruneObjects } from './prune-objects.js';

const database = useTestDatabase();
const file = z.object({ $object: z.string(), bytes: z.number(), sha256: z.string() });
const briefly = { maxAttempts: 2, retry: fixed('1h') } as const;
const print = defineJob({ type: 'print', payload: z.object({ text: z.string(), n: z.int().default(0) }), ...briefly });
const secret = defineJob({ type: 'secret', payload: z.object({ text: z.string() }), sensitive: ['/text'], ...briefly });
const copy = defineJob({ type: 'copy', payload: z.object({ file }), ...briefly });
const parent = defineJob({ type: 'parent', payload: z.object({ size: z.int() }), durable: true, ...briefly });
const catalog = defineCatalog([print, secret, copy, parent]);
const text = 'é'.repeat(50_000);

let folder: string;
let store: ObjectStore;
const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_objects, job_keys');
  folder = await mkdtemp(join(tmpdir(), 'duework-objects-'));
  store = folderStore(folder);
  setOffload({ store });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  setOffload(null);
  setKeyRing(null);
  await rm(folder, { recursive: true });
});

async function start(handlers: Partial<Handlers<typeof catalog>>) {
  const nothing = { print: () => {}, secret: () => {}, copy: () => {}, parent: () => {} };
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { ...nothing, ...handlers },
  });
  workers.push(started.worker);
  return started.events;
}

const paths = async (): Promise<string[]> =>
  (await readdir(join(folder, 'objects'), { recursive: true }).catch(() => []))
    .filter((name) => name.length > 10)
    .map((name) => join(folder, 'objects', name));
/** Of all objects, also of those that were put just now. */
const removeUnneeded = () => pruneObjects([database.db], { olderThanMs: -60_000 });
const jobOf = async ({ id }: { readonly id: string }) => (await getJob(database.db, id)).job;
const forget = () => emptyTables(database.db, 'job_runs');
const grow = () => database.db.$executeRaw`UPDATE duework.job_objects SET needed_at = now() - interval '3 years'`;

test('a large payload waits in the store, and its handler gets it whole', async () => {
  const seen: string[] = [];
  const job = await enqueue(database.db, print, { text });
  const { payload } = await jobOf(job);
  expect(offloadedIn(payload)).toMatchObject({ bytes: Buffer.byteLength(JSON.stringify({ text, n: 0 })) });
  const events = await start({ print: (context) => void seen.push(context.payload.text) });
  await events.waitFor('job.succeeded');
  expect(seen).toEqual([text]);
});

test('a payload of up to `above` stays in its row, and one over `upTo` is refused', async () => {
  setOffload({ store, above: '32kB', upTo: '64kB' });
  const job = await enqueue(database.db, print, { text: 'a'.repeat(32_000) });
  expect(offloadedIn((await jobOf(job)).payload)).toBeNull();
  expect(
    offloadedIn((await jobOf(await enqueue(database.db, print, { text: 'a'.repeat(33_000) }))).payload),
  ).not.toBeNull();
  await expect(enqueue(database.db, print, { text: 'a'.repeat(66_000) })).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  expect(await paths()).toHaveLength(1);
});

test('every way to enqueue offloads: many, a queue whose calls share statements, a batch', async () => {
  const queue = openQueue(database.db);
  const jobs = [
    ...(await enqueueMany(database.db, [jobRequest(print, { text, n: 1 }), jobRequest(print, { text: 'b', n: 2 })])),
    ...(await Promise.all([3, 4].map((n) => queue.enqueue(print, { text, n })))),
    ...(await enqueueBatch(database.db, { jobs: [jobRequest(print, { text, n: 5 })] })).jobs,
  ];
  expect(await paths()).toHaveLength(4);
  const seen: [number, number][] = [];
  const events = await start({ print: ({ payload }) => void seen.push([payload.n, payload.text.length]) });
  await events.waitFor('job.succeeded', jobs.length);
  expect(seen.toSorted(([a], [b]) => a - b)).toEqual([
    ...[
      [1, 50_000],
      [2, 1],
      [3, 50_000],
      [4, 50_000],
      [5, 50_000],
    ],
  ]);
});

test('what does not commit leaves an object that a worker removes, once it is old enough', async () => {
  await enqueue(database.db, print, { text, n: 1 });
  await expect(
    database.db.$transaction(async (tx) => {
      await enqueue(tx, print, { text, n: 2 });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await paths()).toHaveLength(2);
  expect(await pruneObjects([database.db])).toBe(0);
  expect(await removeUnneeded()).toBe(1);
  expect(await paths()).toHaveLength(1);
  expect(await removeUnneeded()).toBe(0);
});

test('an idempotency key that is taken keeps the payload of its job, and says whether it is the same', async () => {
  const key = { idempotencyKey: 'one' };
  const first = await enqueue(database.db, print, { text }, key);
  expect(await enqueue(database.db, print, { text }, key)).toMatchObject({ id: first.id, payloadDiffers: false });
  expect(await enqueue(database.db, print, { text: `${text}!` }, key)).toMatchObject({
    id: first.id,
    payloadDiffers: true,
  });
  await removeUnneeded();
  const events = await start({});
  await events.waitFor('job.succeeded');
});

test('an object goes once retention has removed its job, and none before', async () => {
  const [gone, kept] = await enqueueMany(database.db, [
    jobRequest(print, { text, n: 1 }),
    jobRequest(print, { text, n: 2 }),
  ]);
  await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE id = ${BigInt(gone!.id)}`;
  await grow();
  const { pruneRuns } = await import('../maintenance/prune-runs.js');
  await pruneRuns(database.db, { keepDays: 30, keepDeadDays: 30 });
  expect(await removeUnneeded()).toBe(1);
  const seen: number[] = [];
  const events = await start({ print: ({ payload }) => void seen.push(payload.n) });
  await events.waitFor('job.succeeded');
  expect([seen, kept!.isDeduplicated]).toEqual([[2], false]);
});

test.each([
  ['object_missing', (path: string) => rm(path)],
  ['object_altered', (path: string) => writeFile(path, '{"text":"other","n":0}')],
])('%s makes a job dead at once, with a sentence, and a retry runs it once the object is back', async (code, harm) => {
  const job = await enqueue(database.db, print, { text });
  const [path] = await paths();
  await (await import('node:fs/promises')).copyFile(path!, join(folder, 'kept'));
  await harm(path!);
  const events = await start({});
  await events.waitFor('job.dead');
  expect(await jobOf(job)).toMatchObject({
    status: 'dead',
    attempts: 1,
    errorCode: code,
    lastError: expect.stringContaining('Restore it'),
  });
  await rename(join(folder, 'kept'), path!);
  await retryJob(database.db, job.id);
  await events.waitFor('job.succeeded');
});

test('a store that is away costs attempts, as any outage, and never more than there are', async () => {
  const job = await enqueue(database.db, print, { text });
  setOffload({ store: { ...store, get: () => Promise.reject(new Error('connect ECONNREFUSED')) } });
  const events = await start({});
  await events.waitFor('job.failed');
  expect(await jobOf(job)).toMatchObject({ status: 'failed', attempts: 1, errorCode: 'store_unavailable' });
  await retryJob(database.db, job.id);
  await events.waitFor('job.dead');
  expect(await jobOf(job)).toMatchObject({ status: 'dead', attempts: 2, errorCode: 'store_unavailable' });
});

test('a store that is away refuses an enqueue, and nothing is written', async () => {
  setOffload({ store: { ...store, put: () => Promise.reject(new Error('connect ECONNREFUSED')) } });
  await expect(enqueue(database.db, print, { text })).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(await database.db.jobRun.count()).toBe(0);
});

test('a job that is cancelled while its payload is read ends, though the store never answers', async () => {
  const asked = gate();
  await enqueue(database.db, print, { text });
  const get = (): Promise<never> => {
    asked.open();
    return new Promise(() => {});
  };
  setOffload({ store: { ...store, get } });
  const { cancelJob } = await import('../queue/operate.js');
  const events = await start({});
  await asked.promise;
  const [{ id }] = (await database.db.$queryRaw`SELECT id::text FROM duework.job_runs`) as [{ id: string }];
  await cancelJob(database.db, id);
  await workers[0]!.stop({ deadlineMs: 0 });
  workers.splice(0);
  await events.waitFor('job.cancelled');
});

test('a large result is kept in the store for as long as its job, and read back by its contract', async () => {
  const result = { text };
  const events = await start({ print: () => complete(result) });
  const job = await enqueue(database.db, print, { text: 'a' });
  await events.waitFor('job.succeeded');
  expect(offloadedIn((await jobOf(job)).result)).not.toBeNull();
  expect(await openQueue(database.db).result(print, job.id)).toEqual(result);
  expect(await removeUnneeded()).toBe(0);
});

test('a parent gets the large result of its child', async () => {
  const lengths: number[] = [];
  const events = await start({
    print: ({ payload }) => complete({ text: payload.text }),
    parent: async ({ child, payload }) => {
      const { text: got } = (await child(print, { text: 'a'.repeat(payload.size) })) as { text: string };
      lengths.push(got.length);
    },
  });
  await enqueue(database.db, parent, { size: 100_000 });
  await events.waitFor('job.succeeded', 2);
  expect(lengths).toEqual([100_000]);
});

test('sensitive values are encrypted in the store as they are in a row', async () => {
  setKeyRing(createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }));
  const job = await enqueue(database.db, secret, { text });
  const ref = offloadedIn((await jobOf(job)).payload)!;
  expect(ref).toMatchObject({ keyIds: ['k1'] });
  let stored = '';
  for await (const chunk of await openObject(ref)) stored += String(chunk);
  expect(stored).not.toContain('éé');
  const seen: string[] = [];
  const events = await start({ secret: ({ payload }) => void seen.push(payload.text) });
  await events.waitFor('job.succeeded');
  expect(seen).toEqual([text]);
});

test('a file goes through handlers as a stream, and stays as long as a job names it', async () => {
  const source = await putObject(Buffer.from(text));
  const job = await enqueue(database.db, copy, { file: source });
  expect(await removeUnneeded()).toBe(0);
  const events = await start({
    copy: async ({ payload, putObject: put, signal }) =>
      complete({ file: { ...(await put(await openObject(payload.file, { signal }))) } }),
  });
  await events.waitFor('job.succeeded');
  const { file: made } = (await openQueue(database.db).result(copy, job.id)) as unknown as { file: typeof source };
  expect(made).toMatchObject({ bytes: source.bytes, sha256: source.sha256 });
  expect(made.$object).not.toBe(source.$object);
  expect(await removeUnneeded()).toBe(0);
  await forget();
});

test('two jobs that name one object share it: it goes with the last of them', async () => {
  const shared = await putObject(text);
  const [first, second] = await enqueueMany(database.db, [
    jobRequest(copy, { file: shared }),
    jobRequest(copy, { file: shared }),
  ]);
  const { pruneRuns } = await import('../maintenance/prune-runs.js');
  for (const [job, removed] of [
    [first, 0],
    [second, 1],
  ] as const) {
    await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE id = ${BigInt(job!.id)}`;
    await grow();
    await pruneRuns(database.db, { keepDays: 30, keepDeadDays: 30 });
    expect(await removeUnneeded()).toBe(removed);
  }
});

test('a job that SQL enqueues may name objects, and keeps them', async () => {
  await start({});
  const { $object, bytes, sha256 } = await putObject(text);
  await database.db
    .$queryRaw`SELECT id::text FROM duework.enqueue('copy', jsonb_build_object('file', jsonb_build_object('$object', ${$object}::text, 'bytes', ${bytes}::integer, 'sha256', ${sha256}::text)), delay => '1h')`;
  expect(await removeUnneeded()).toBe(0);
});

test('a change of a waiting payload cannot name objects, which nothing would keep; a small one replaces a large one', async () => {
  const job = await enqueue(database.db, copy, { file: await putObject(text) }, { delay: '1h' });
  const other = await putObject('other');
  await expect(updateJob(database.db, job.id, { contract: copy, payload: { file: other } })).rejects.toMatchObject({
    code: 'object_not_kept',
  });
  const large = await enqueue(database.db, print, { text }, { delay: '1h' });
  await updateJob(database.db, large.id, { contract: print, payload: { text: 'small' } });
  expect((await jobOf(large)).payload).toEqual({ text: 'small', n: 0 });
});

test('a store that keeps no objects refuses large payloads and names of objects, which would be lost there', async () => {
  const queue = createMemoryQueue();
  await expect(queue.enqueue(print, { text })).rejects.toMatchObject({ code: 'payload_too_large' });
  const named = { file: await putObject(text) };
  await expect(queue.enqueue(copy, named)).rejects.toMatchObject({ code: 'object_not_kept' });
});

test('two databases that share a place remove nothing, and say so', async () => {
  await enqueue(database.db, print, { text });
  await removeUnneeded();
  await writeFile(join(folder, 'databases', '0123456789abcdef'), 'another');
  await expect(removeUnneeded()).rejects.toMatchObject({
    code: 'store_shared',
    facts: { databases: ['0123456789abcdef'] },
  });
});

test('without a store large payloads are refused as ever, and a worker without it says what it lacks', async () => {
  const job = await enqueue(database.db, print, { text });
  setOffload(null);
  await expect(enqueue(database.db, print, { text })).rejects.toMatchObject({ code: 'payload_too_large' });
  const events = await start({});
  await events.waitFor('job.failed');
  expect(await jobOf(job)).toMatchObject({ errorCode: 'offload_missing' });
});

test.each([
  [{ above: '1B' as never }, 'offload.above'],
  [{ above: '1MB', upTo: '64kB' }, 'offload.upTo'],
  [{ upTo: '1000MB' }, 'offload.upTo'],
  [{ store: {} as ObjectStore }, 'offload.store'],
] as const)('%j is refused', (options, option) => {
  expect(() => setOffload({ store, ...options })).toThrow(option);
});

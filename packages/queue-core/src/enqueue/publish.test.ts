import { randomBytes } from 'node:crypto';
import { defineCatalog, defineEvent, defineSubscriber, type Catalog } from '@duework/contracts';
import { Prisma } from '@duework/database';
import { startTestWorker } from '@duework/testing';
import { emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import type { Queryable } from '@duework/sql';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openQueue } from '../queue/open-queue.js';
import { getJob } from '../queue/operate.js';
import { createKeyRing } from '../secrets/key-ring.js';
import { setKeyRing } from '../secrets/current-key-ring.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { pruneEvents } from '../sql/upkeep/prune-events.js';
import type { Worker } from '../worker/create-worker.js';
import { enqueue } from './enqueue.js';
import { publish } from './publish.js';

const database = useTestDatabase();
const workers: Worker[] = [];
const payload = z.object({ orderId: z.int(), customer: z.string() });
const paid = defineEvent({ name: 'order_paid', payload, keep: '7d' });
const receipt = defineSubscriber({ type: 'send_receipt', on: paid, map: ({ orderId }) => ({ order: orderId }) });
const book = defineSubscriber({
  type: 'book',
  on: paid,
  priority: 2,
  queue: 'ledger',
  limits: [{ max: 1, by: 'customer' }],
});
const follow = defineSubscriber({
  type: 'follow_up',
  on: paid,
  delay: '1h',
  unique: { by: 'customer', onConflict: 'replace' },
});
const ORDER = { orderId: 812, customer: 'ana' };
const all = defineCatalog([receipt, book, follow]);

const subscribe = (...catalog: Catalog) => registerDefinitions(database.db, catalog);
const jobsOf = async (): Promise<Record<string, number>> => {
  const rows = await database.db.$queryRaw<{ type: string; n: number }[]>`
    SELECT job_type AS type, count(*)::integer AS n FROM duework.job_runs GROUP BY 1 ORDER BY 1`;
  return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
};
const kept = () => database.db.publishedEvent.findMany({ orderBy: { id: 'asc' } });

beforeEach(() => subscribe(...all));
afterEach(async () => {
  setKeyRing(null);
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await emptyTables(database.db, 'job_definitions, job_runs, published_events, flow_waits, job_keys');
});

/** A client that counts its statements. */
function counting(): Queryable & { count: number } {
  const counted = {
    count: 0,
    $connect: () => {},
    $queryRaw: (statement: never) => {
      counted.count++;
      return database.db.$queryRaw(statement);
    },
  };
  return counted as never;
}

describe('an event that is published', () => {
  test('is a job for each subscriber, with its payload, as its contract has it, in one statement', async () => {
    const db = counting();
    const published = await publish(db, paid, ORDER, { meta: { from: 'shop' } });
    expect(db.count).toBe(1);
    expect(published).toMatchObject({ id: expect.any(String), isDeduplicated: false });
    expect(published.jobs.map(({ type }) => type)).toEqual(['book', 'follow_up', 'send_receipt']);
    const [first, later, simple] = await Promise.all(
      published.jobs.map(async ({ id }) => (await getJob(database.db, id)).job),
    );
    expect(first).toMatchObject({ payload: ORDER, priority: 2, queue: 'ledger', version: 1, meta: { from: 'shop' } });
    expect(first!.gates).toMatchObject([{ key: 'limit/book.customer/ana' }]);
    expect(simple).toMatchObject({ payload: ORDER, priority: 5, queue: 'default', status: 'queued' });
    expect(later!.runAt.getTime() - simple!.runAt.getTime()).toBeGreaterThanOrEqual(3_600_000);
  });

  test('is nothing where its transaction is rolled back, and is all of it where it commits', async () => {
    const publishing = database.db.$transaction(async (tx) => {
      expect((await publish(tx, paid, ORDER, { idempotencyKey: 'o:812' })).jobs).toHaveLength(3);
      throw new Error('no');
    });
    await expect(publishing).rejects.toThrow('no');
    expect([await jobsOf(), await kept()]).toEqual([{}, []]);
    await database.db.$transaction(async (tx) => publish(tx, paid, ORDER, { idempotencyKey: 'o:812' }));
    expect(await jobsOf()).toEqual({ book: 1, follow_up: 1, send_receipt: 1 });
  });

  test('is refused by an ended transaction', async () => {
    let late: Queryable | undefined;
    await database.db.$transaction(async (tx) => void (late = tx));
    await expect(publish(late!, paid, ORDER)).rejects.toMatchObject({ code: expect.any(String) });
    expect(await jobsOf()).toEqual({});
  });

  test('that does not fit its schema, or is too large, is refused before anything is written', async () => {
    await expect(publish(database.db, paid, { orderId: 1 } as never)).rejects.toMatchObject({
      code: 'invalid_payload',
    });
    const large = { ...ORDER, customer: 'x'.repeat(70_000) };
    await expect(publish(database.db, paid, large)).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(publish(database.db, paid, ORDER, { idempotencyKey: '' })).rejects.toMatchObject({
      code: 'invalid_idempotency_key',
    });
    expect(await jobsOf()).toEqual({});
  });

  test('that names an object is refused, because nothing would keep that for its jobs, in SQL as well', async () => {
    const filed = defineEvent({ name: 'filed', payload: z.object({ file: z.object({ $object: z.string() }) }) });
    await subscribe(defineSubscriber({ type: 'read_file', on: filed }));
    const file = { $object: 'objects/ab/ab1f' };
    await expect(publish(database.db, filed, { file })).rejects.toMatchObject({ code: 'object_not_kept' });
    const inSql = database.db.$queryRaw`SELECT * FROM duework.publish('filed', ${{ file }}::jsonb)`;
    await expect(inSql).rejects.toThrow('names an object');
    expect(await jobsOf()).toEqual({});
  });

  test('that nobody subscribes to makes no job, and is kept only if it says so', async () => {
    await emptyTables(database.db, 'job_definitions');
    const quiet = defineEvent({ name: 'quiet', payload });
    expect(await publish(database.db, quiet, ORDER)).toEqual({ id: null, isDeduplicated: false, jobs: [] });
    expect(await kept()).toEqual([]);
    expect(await openQueue(database.db).publish(paid, ORDER)).toMatchObject({ id: expect.any(String), jobs: [] });
    expect(await kept()).toMatchObject([{ event: 'order_paid', payload: ORDER, jobs: {} }]);
  });

  test('makes one job of several where its subscriber says what makes them one of a kind', async () => {
    const first = await publish(database.db, paid, ORDER);
    const second = await publish(database.db, paid, { ...ORDER, orderId: 813 });
    expect(await jobsOf()).toEqual({ book: 2, follow_up: 1, send_receipt: 2 });
    const id = second.jobs.find(({ type }) => type === 'follow_up')!.id;
    expect(first.jobs).toContainEqual({ type: 'follow_up', id });
    expect((await getJob(database.db, id)).job.payload).toEqual({ ...ORDER, orderId: 813 });
    // the key is the one that enqueue makes
    expect(await enqueue(database.db, follow, { ...ORDER, orderId: 814 })).toMatchObject({ id, isDeduplicated: true });
  });
});

describe('an event with a key', () => {
  test('is one, however often it is published, and answers with its jobs', async () => {
    const first = await publish(database.db, paid, ORDER, { idempotencyKey: 'o:812' });
    await subscribe(defineSubscriber({ type: 'late', on: paid }));
    const again = await publish(database.db, paid, { ...ORDER, orderId: 1 }, { idempotencyKey: 'o:812' });
    expect(again).toEqual({ ...first, isDeduplicated: true });
    expect(await jobsOf()).toEqual({ book: 1, follow_up: 1, send_receipt: 1 });
    expect((await publish(database.db, paid, ORDER, { idempotencyKey: 'o:813' })).isDeduplicated).toBe(false);
  });

  test.each([
    ['commits, is the first one', true],
    ['is rolled back, is published', false],
  ])('that an open transaction publishes waits for it, and if that %s', async (_, commits) => {
    const client = database.connect({ poolSize: 1 });
    let waiting: Awaited<ReturnType<typeof untilItWaits>> | undefined;
    const first = database.db.$transaction(async (tx) => {
      const published = await publish(tx, paid, ORDER, { idempotencyKey: 'o:812' });
      waiting = await untilItWaits(
        database.db,
        client,
        (on) => publish(on, paid, ORDER, { idempotencyKey: 'o:812' }) as never,
      );
      expect(waiting.isWaiting).toBe(true);
      if (!commits) throw new Error('rolled back');
      return published;
    });
    if (commits) await first;
    else await expect(first).rejects.toThrow('rolled back');
    const second = await waiting!.answer;
    expect(second).toMatchObject({ isDeduplicated: commits });
    if (commits) expect(second).toMatchObject({ jobs: (await first).jobs });
    expect(await jobsOf()).toEqual({ book: 1, follow_up: 1, send_receipt: 1 });
  });

  test('that is not kept has no payload, and its key holds for seven days', async () => {
    const short = defineEvent({ name: 'short', payload });
    await publish(database.db, short, ORDER, { idempotencyKey: 'k' });
    expect(await kept()).toMatchObject([{ key: 'k', payload: null }]);
    await database.db.$executeRaw`UPDATE duework.published_events SET expires_at = now() + interval '1 minute'`;
    expect(await pruneEvents(database.db, 10)).toBe(0);
    await database.db.$executeRaw`UPDATE duework.published_events SET expires_at = now() - interval '1 minute'`;
    // nobody has pruned it yet
    expect((await publish(database.db, short, ORDER, { idempotencyKey: 'k' })).isDeduplicated).toBe(false);
    expect(await kept()).toHaveLength(1);
    await database.db.$executeRaw`UPDATE duework.published_events SET expires_at = now()`;
    expect(await pruneEvents(database.db, 10)).toBe(1);
  });
});

describe('in SQL', () => {
  const inSql = (args: string) =>
    database.db.$queryRaw<{ id: bigint | null; is_deduplicated: boolean; jobs: object }[]>(
      Prisma.raw(`SELECT * FROM duework.publish(${args})`),
    );

  test('an event is published by its name, as its subscribers know it', async () => {
    const json = `'${JSON.stringify(ORDER)}'`;
    const [row] = await inSql(`'order_paid', ${json}, idempotency_key => 'o:812'`);
    expect(row).toMatchObject({ is_deduplicated: false });
    expect(Object.keys(row!.jobs)).toEqual(['book', 'follow_up', 'send_receipt']);
    expect(await inSql(`'order_paid', ${json}, idempotency_key => 'o:812'`)).toMatchObject([{ is_deduplicated: true }]);
    expect(await publish(database.db, paid, ORDER, { idempotencyKey: 'o:812' })).toMatchObject({
      isDeduplicated: true,
    });
    expect(await kept()).toMatchObject([{ payload: ORDER }]);
    expect(await jobsOf()).toEqual({ book: 1, follow_up: 1, send_receipt: 1 });
  });

  test.each([
    [`'order_payed', '{}'`, '22W14'],
    [`'order_paid', NULL`, '22W02'],
    [`'order_paid', '{}', ''`, '22W05'],
    [`'order_paid', '{}', NULL, 2`, '22W07'],
    [`'order_paid', '{}', meta => '[]'`, '22W06'],
  ])('publish(%s) is refused with %s', async (args, code) => {
    await expect(inSql(args)).rejects.toThrow(code);
  });

  test('an event that requires encryption is refused', async () => {
    const strict = defineEvent({ name: 'strict', payload, sensitive: ['/customer'], encryption: 'required' });
    await subscribe(defineSubscriber({ type: 'secret', on: strict }));
    await expect(inSql(`'strict', '{}'`)).rejects.toThrow('22W08');
  });
});

describe('its worker', () => {
  async function start(catalog: Catalog, handlers: object) {
    const { worker } = await startTestWorker(database.db, { catalog, handlers: handlers as never });
    workers.push(worker);
  }
  /** Resolves with what the handler of a type gets. */
  function got(type: string): { handlers: object; payload: Promise<unknown> } {
    let resolve!: (payload: unknown) => void;
    const seen = new Promise<unknown>((done) => (resolve = done));
    return { handlers: { [type]: (context: { payload: unknown }) => resolve(context.payload) }, payload: seen };
  }

  test('gives the handler what map makes of the payload', async () => {
    const { handlers, payload: seen } = got('send_receipt');
    await start(defineCatalog([receipt]), handlers);
    await publish(database.db, paid, ORDER);
    expect(await seen).toEqual({ order: 812 });
  });

  test('lifts what an older publisher publishes, and leaves what a newer one does to newer workers', async () => {
    const wider = defineEvent({
      name: 'order_paid',
      version: 2,
      payload: payload.extend({ currency: z.string() }),
      past: { 1: { payload, lift: (v1) => ({ ...v1, currency: 'EUR' }) } },
    });
    await publish(database.db, wider, { ...ORDER, currency: 'USD' });
    expect(await database.db.jobRun.findMany({ where: { jobType: 'send_receipt' } })).toMatchObject([
      { jobVersion: 2 },
    ]);
    await database.db.$executeRaw`DELETE FROM duework.job_runs`;
    const { handlers, payload: seen } = got('send_receipt');
    await start(defineCatalog([defineSubscriber({ type: 'send_receipt', on: wider })]), handlers);
    await publish(database.db, paid, ORDER);
    expect(await seen).toEqual({ ...ORDER, currency: 'EUR' });
  });

  test('decrypts what was encrypted for whoever subscribes, and nothing of it is there in plain text', async () => {
    const k1 = randomBytes(32).toString('base64');
    setKeyRing(createKeyRing({ current: 'k1', keys: { k1 } }));
    const secret = defineEvent({ name: 'secret', payload, sensitive: ['/customer'], keep: '1d' });
    const { handlers, payload: seen } = got('reader');
    await start(defineCatalog([defineSubscriber({ type: 'reader', on: secret })]), handlers);
    const { jobs } = await publish(database.db, secret, ORDER);
    expect(await seen).toEqual(ORDER);
    expect(
      JSON.stringify([await kept(), (await getJob(database.db, jobs[0]!.id)).job.payload], (_, v) =>
        typeof v === 'bigint' ? String(v) : (v as unknown),
      ),
    ).not.toContain('ana');
  });
});

describe('a deploy', () => {
  test('that ends a subscription and begins another one does both at once, for publishers that run on', async () => {
    await publish(database.db, paid, ORDER);
    const ended = defineSubscriber({ type: 'send_receipt', on: paid, subscribed: false });
    await subscribe(ended, defineSubscriber({ type: 'mail_receipt', on: paid }), book, follow);
    const { jobs } = await publish(database.db, paid, ORDER);
    expect(jobs.map(({ type }) => type)).toEqual(['book', 'follow_up', 'mail_receipt']);
    // what waits is still its own
    expect(await jobsOf()).toMatchObject({ send_receipt: 1, mail_receipt: 1 });
  });

  test('of an older version of the event does not take back what a newer one says', async () => {
    const past = { 1: { payload, lift: (v1: z.infer<typeof payload>) => v1 } };
    const newer = defineEvent({ name: 'order_paid', version: 2, payload, past });
    await subscribe(defineSubscriber({ type: 'send_receipt', on: newer, subscribed: false }));
    await subscribe(receipt);
    expect((await publish(database.db, paid, ORDER)).jobs.map(({ type }) => type)).toEqual(['book', 'follow_up']);
  });
});

import { defineJob } from '@duework/contracts';
import { connectPrisma, PrismaClient } from '@duework/database';
import { describe, expect, test } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from './enqueue.js';
import { getJob } from '../queue/operate.js';
import { findContract } from './find-contract.js';
import { charge, echo, testCatalog, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();

const countRuns = async (): Promise<number> => database.db.jobRun.count();

describe('enqueue', () => {
  test('leaves no job when the caller rolls back', async () => {
    const before = await countRuns();
    const business = database.db.$transaction(async (tx) => {
      await enqueue(tx, charge, { invoice: 1 });
      throw new Error('the order was refused');
    });
    await expect(business).rejects.toThrow('the order was refused');
    expect(await countRuns()).toBe(before);
    // and its key is free
    expect(await enqueue(database.db, charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
  });

  test('a job is invisible to workers until the caller commits', async () => {
    const other = database.connect();
    await database.db.$transaction(async (tx) => {
      const { id } = await enqueue(tx, echo, { n: 2 });
      expect(await other.jobRun.findUnique({ where: { id: BigInt(id) } })).toBeNull();
    });
  });

  test('two producers that race on one key get one run', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    for (let invoice = 2000; invoice < 2050; invoice++) {
      const [a, b] = await Promise.all([enqueue(left, charge, { invoice }), enqueue(right, charge, { invoice })]);
      expect(a.id).toBe(b.id);
      expect([a.isDeduplicated, b.isDeduplicated].sort()).toEqual([false, true]);
    }
  });

  test('makes a second producer of a key wait for the first one’s transaction, whose end decides', async () => {
    for (const isCommitted of [true, false]) {
      const invoice = isCommitted ? 3000 : 3001;
      let firstId = '';
      let second: Promise<{ id: string; isDeduplicated: boolean }> | undefined;
      const first = database.db.$transaction(async (tx) => {
        firstId = (await enqueue(tx, charge, { invoice })).id;
        second = enqueue(database.db, charge, { invoice });
        await waitUntilBlocked();
        if (!isCommitted) throw new Error('rolled back');
      });
      await first.catch(() => undefined);
      const { id, isDeduplicated } = await second!;
      expect({ isSameRun: id === firstId, isDeduplicated }).toEqual({
        isSameRun: isCommitted,
        isDeduplicated: isCommitted,
      });
    }
  });

  test('counts a delay from the database’s clock, and keeps a moment to the millisecond', async () => {
    const [{ now }] = (await database.db.$queryRaw<[{ now: Date }]>`SELECT now()`) as [{ now: Date }];
    const delayed = await enqueue(database.db, echo, { n: 1 }, { delay: '2h' });
    expect(delayed.runAt.getTime() - now.getTime()).toBeGreaterThanOrEqual(7_200_000);
    expect(delayed.runAt.getTime() - now.getTime()).toBeLessThan(7_260_000);
    const runAt = new Date('2031-03-30T01:30:00.123Z');
    expect((await enqueue(database.db, echo, { n: 1 }, { runAt })).runAt).toEqual(runAt);
  });

  test('enqueues for the same moment when the caller’s session is not in UTC', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c TimeZone=Asia/Kolkata');
    const caller = new PrismaClient({ adapter: new PrismaPg({ connectionString: url.toString() }) });
    const [{ TimeZone }] = (await caller.$queryRaw<[{ TimeZone: string }]>`SHOW TimeZone`) as [{ TimeZone: string }];
    expect(TimeZone).toBe('Asia/Kolkata');
    const runAt = new Date('2031-03-30T01:30:00.000Z');
    const { id } = await enqueue(caller, echo, { n: 1 }, { runAt });
    expect((await getJob(caller, id)).job.runAt).toEqual(runAt);
    expect((await getJob(database.db, id)).job.runAt).toEqual(runAt);
    await caller.$disconnect();
  });

  test('works through an extended client and its transaction', async () => {
    const extended = connectPrisma({ url: database.url }).$extends({ name: 'tenancy' });
    expect(await enqueue(extended, echo, { n: 1 })).toMatchObject({ status: 'queued' });
    await extended.$transaction((tx) => enqueue(tx, echo, { n: 1 }));
    await extended.$disconnect();
  });
});

describe('enqueueMany', () => {
  test('lets two batches that take the same keys in opposite orders finish without a deadlock', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    const invoices = Array.from({ length: 200 }, (_, i) => 5_000 + i);
    const [a, b] = await Promise.all([
      enqueueMany(
        left,
        invoices.map((invoice) => jobRequest(charge, { invoice })),
      ),
      enqueueMany(
        right,
        [...invoices].reverse().map((invoice) => jobRequest(charge, { invoice })),
      ),
    ]);
    expect(new Set([...a, ...b].map((job) => job.id)).size).toBe(200);
  });

  test('keys are taken in one order, whatever the order of the batch', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    const [batch, single] = await database.db.$transaction(async (tx) => {
      await enqueue(tx, charge, { invoice: 6001 });
      const first = await untilItWaits(database.db, left, (client) =>
        enqueueMany(
          client,
          [6002, 6001].map((invoice) => jobRequest(charge, { invoice })),
        ),
      );
      // it waits for the key that is taken, and has not taken the other one before
      return [
        first,
        await untilItWaits(database.db, right, (client) => enqueue(client, charge, { invoice: 6002 })),
      ] as const;
    });
    expect({ batch: batch.isWaiting, single: single.isWaiting }).toEqual({ batch: true, single: false });
    expect((await batch.answer).map((job) => job.isDeduplicated)).toEqual([true, true]);
    expect((await single.answer).isDeduplicated).toBe(false);
  });

  test.each([
    ['without keys', null],
    ['some with a key', 'large-'],
  ])('answers each request of a large batch with its own run: %s', async (_, prefix) => {
    const runAtOf = (n: number): Date => new Date(Date.UTC(2040, 0, 1) + ((n * 7_919) % 20_000) * 1_000);
    const keyOf = (n: number): string | null => (prefix === null || n % 3 > 0 ? null : `${prefix}${n}`);
    const numbers = Array.from({ length: 20_000 }, (_each, n) => n);
    const jobs = await enqueueMany(
      database.db,
      numbers.map((n) => jobRequest(echo, { n }, { runAt: runAtOf(n), idempotencyKey: keyOf(n) })),
    );
    expect(jobs.map(({ runAt }) => runAt)).toEqual(numbers.map(runAtOf));
    const rows = await database.db.$queryRaw<{ n: number; run_at: Date; key: string | null }[]>`
      SELECT (r.payload ->> 'n')::int AS n, r.run_at, r.idempotency_key AS key
      FROM unnest(${jobs.map(({ id }) => id)}::text[]) WITH ORDINALITY AS j (id, position)
      JOIN duework.job_runs AS r ON r.id = j.id::bigint
      ORDER BY j.position`;
    expect(rows).toEqual(numbers.map((n) => ({ n, run_at: runAtOf(n), key: keyOf(n) })));
  });

  test('sends no statement for no requests', async () => {
    expect(await enqueueMany({ $queryRaw: () => Promise.reject(new Error('no statement expected')) }, [])).toEqual([]);
  });
});

describe('a refusal has a code and the facts, and the caller’s transaction can go on', () => {
  const loose = defineJob({ type: 'loose', payload: z.object({ value: z.any() }) });
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  test.each<[string, () => Promise<unknown>, object]>([
    [
      'a payload of the wrong type',
      () => enqueue(database.db, echo, { n: 'one' } as never),
      { code: 'invalid_payload', facts: { type: 'echo', issues: [{ pointer: '/n', message: expect.any(String) }] } },
    ],
    [
      'no payload',
      () => enqueue(database.db, echo, undefined as never),
      { code: 'invalid_payload', facts: { type: 'echo', issues: [{ pointer: '', message: expect.any(String) }] } },
    ],
    [
      'a payload over 64 KiB',
      () => enqueue(database.db, loose, { value: 'é'.repeat(33_000) }),
      { code: 'payload_too_large', facts: { type: 'loose', bytes: 66_012, limitBytes: 65_536 } },
    ],
    [
      'a payload over a limit of one’s own',
      () => enqueue(database.db, loose, { value: 'abc' }, { payloadLimitBytes: 10 }),
      { code: 'payload_too_large' },
    ],
    [
      'a NUL',
      () => enqueue(database.db, loose, { value: 'a\0b' }),
      { code: 'payload_not_storable', facts: { type: 'loose', reason: '/value contains a NUL character' } },
    ],
    [
      'half a surrogate pair',
      () => enqueue(database.db, loose, { value: ['\ud800'] }),
      { code: 'payload_not_storable', facts: { type: 'loose', reason: '/value/0 contains half a surrogate pair' } },
    ],
    ['a NUL in a key', () => enqueue(database.db, loose, { value: { 'a\0': 1 } }), { code: 'payload_not_storable' }],
    ['an infinite number', () => enqueue(database.db, loose, { value: Infinity }), { code: 'payload_not_storable' }],
    ['a bigint', () => enqueue(database.db, loose, { value: 1n }), { code: 'payload_not_storable' }],
    ['a Date', () => enqueue(database.db, loose, { value: new Date() }), { code: 'payload_not_storable' }],
    [
      'a value nested too deep',
      () => enqueue(database.db, loose, { value: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) }),
      { code: 'payload_not_storable' },
    ],
    [
      'a value that refers to itself',
      () => enqueue(database.db, loose, { value: circular }),
      { code: 'payload_not_storable' },
    ],
    [
      'an empty key',
      () => enqueue(database.db, echo, { n: 1 }, { idempotencyKey: '' }),
      { code: 'invalid_idempotency_key' },
    ],
    [
      'a key with a NUL',
      () => enqueue(database.db, echo, { n: 1 }, { idempotencyKey: 'k\0' }),
      { code: 'invalid_idempotency_key' },
    ],
    [
      'a priority out of range',
      () => enqueue(database.db, echo, { n: 1 }, { priority: 10 }),
      { code: 'invalid_option', facts: { option: 'priority', value: 10 } },
    ],
    [
      'a date that is none',
      () => enqueue(database.db, echo, { n: 1 }, { runAt: new Date('tomorrow') }),
      { code: 'invalid_option' },
    ],
    [
      'both a moment and a delay',
      () => enqueue(database.db, echo, { n: 1 }, { runAt: new Date(), delay: '1s' }),
      { code: 'invalid_option' },
    ],
    [
      'a delay without a unit',
      () => enqueue(database.db, echo, { n: 1 }, { delay: '10' as never }),
      { code: 'invalid_option' },
    ],
    [
      'an unknown type',
      async () => findContract(testCatalog, 'nope'),
      { code: 'unknown_job_type', facts: { type: 'nope', knownTypes: ['echo', 'charge'] } },
    ],
  ])('%s', async (_, act, expected) => {
    await expect(act()).rejects.toMatchObject(expected);
  });

  test('a refused enqueue leaves the caller’s transaction usable', async () => {
    const id = await database.db.$transaction(async (tx) => {
      await expect(enqueue(tx, echo, {} as never)).rejects.toMatchObject({ code: 'invalid_payload' });
      return (await enqueue(tx, echo, { n: 1 })).id;
    });
    expect((await getJob(database.db, id)).job.status).toBe('queued');
  });

  test('every JSON value is stored and read again as it was', async () => {
    const values: unknown[] = [
      null,
      true,
      0,
      -0.5,
      1e21,
      9_007_199_254_740_991,
      '',
      'ünïcödé 🚀',
      [],
      {},
      [[null]],
      { __proto__: null, a: { b: [1, 'x'] } },
      { constructor: 1, toString: 'x' },
    ];
    const jobs = await enqueueMany(
      database.db,
      values.map((value) => jobRequest(loose, { value })),
    );
    for (const [index, value] of values.entries()) {
      expect((await getJob(database.db, jobs[index]!.id)).job.payload).toEqual({ value });
    }
    const bare = defineJob({ type: 'bare', payload: z.null() });
    expect((await getJob(database.db, (await enqueue(database.db, bare, null)).id)).job.payload).toBeNull();
  });
});

async function waitUntilBlocked(): Promise<void> {
  for (;;) {
    const blocked = await database.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%enqueue%'`;
    if (blocked.length > 0) return;
  }
}

describe('enqueue proves that it joined the caller’s transaction', () => {
  test('an extension that runs raw queries outside of it is found out, and nothing is written', async () => {
    const before = await countRuns();
    const leaving = database.db.$extends({ query: { $queryRaw: ({ args }) => database.db.$queryRaw(args) } });
    await expect(leaving.$transaction((tx) => enqueue(tx, charge, { invoice: 90 }))).rejects.toMatchObject({
      code: 'not_in_transaction',
    });
    expect(await countRuns()).toBe(before);
    // its key was not taken either
    expect(await enqueue(database.db, charge, { invoice: 90 })).toMatchObject({ isDeduplicated: false });
  });

  test('refuses an extension that has a $queryRaw of its own, outside of it', async () => {
    const own = database.db.$extends({ client: { $queryRaw: database.db.$queryRaw.bind(database.db) } });
    await expect(own.$transaction((tx) => enqueue(tx as never, charge, { invoice: 89 }))).rejects.toMatchObject({
      code: 'not_in_transaction',
    });
  });

  test('refuses an extension that opens a transaction per query', async () => {
    const perQuery = database.db.$extends({
      query: {
        async $allOperations({ args, query }) {
          const [, result] = await database.db.$transaction([
            database.db.$executeRaw`SELECT set_config('app.tenant', '7', true)`,
            query(args),
          ]);
          return result;
        },
      },
    });
    await expect(perQuery.$transaction((tx) => enqueue(tx, charge, { invoice: 91 }))).rejects.toMatchObject({
      code: 'not_in_transaction',
    });
  });

  test('accepts an extension that stays in the transaction, for any number of jobs', async () => {
    const staying = database.db.$extends({ query: { $queryRaw: ({ args, query }) => query(args) } });
    const jobs = await staying.$transaction(async (tx) => [
      await enqueue(tx, charge, { invoice: 92 }),
      await enqueue(tx, charge, { invoice: 93 }),
    ]);
    expect(jobs.map((job) => job.isDeduplicated)).toEqual([false, false]);
  });
});

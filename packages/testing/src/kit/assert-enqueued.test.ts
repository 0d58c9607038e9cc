import type { AssertionError } from 'node:assert';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, Prisma } from '@duework/database';
import { cancelJob, enqueue, enqueueMany, jobRequest, registerDefinitions, type RawClient } from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestDatabase } from '../fixtures/use-test-database.js';
import { createMemoryQueue } from '../memory/create-memory-queue.js';
import { assertEnqueued } from './assert-enqueued.js';
import { refuteEnqueued } from './refute-enqueued.js';

const address = z.object({ city: z.string(), zip: z.string().optional() });
const ship = defineJob({
  type: 'ship',
  version: 2,
  payload: z.object({ orderId: z.int(), to: address, tags: z.array(z.string()).default([]), secret: z.string() }),
  past: {
    1: {
      payload: z.object({ orderId: z.int(), city: z.string() }),
      lift: ({ orderId, city }) => ({ orderId, to: { city }, secret: 'lifted' }),
    },
  },
});
const bill = defineJob({
  type: 'bill',
  payload: z.object({ orderId: z.int() }),
  idempotencyKey: ({ orderId }) => `bill:${orderId}`,
});
const late = defineJob({ type: 'late', payload: z.object({ orderId: z.int() }) });
const order = { orderId: 7, to: { city: 'Ulm', zip: '89073' }, tags: ['new', 'big'], secret: 'hunter2' };

const database = useTestDatabase();

/** Runs what a test does in a transaction that is rolled back, as teams do. */
async function rolledBack(act: (tx: RawClient) => Promise<void>): Promise<void> {
  const over = new Error('over');
  await expect(
    database.db.$transaction(async (tx) => {
      await act(tx);
      throw over;
    }),
  ).rejects.toBe(over);
}

async function messageOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'AssertionError', code: 'ERR_ASSERTION', operator: 'fail' });
  return (error as AssertionError).message.replaceAll(/\d{16}/g, '#').replaceAll(/\d{4}-[\d-]+T[\d:.]+Z/g, '<time>');
}

describe('assertEnqueued', () => {
  test('sees the uncommitted job of a transaction, and returns it', () =>
    rolledBack(async (tx) => {
      const { id } = await enqueue(tx, ship, order);
      const [job, ...others] = await assertEnqueued(tx, ship);
      expect(job).toMatchObject({ id, type: 'ship', payload: order });
      expect(others).toEqual([]);
      await refuteEnqueued(database.db, ship);
    }));

  test('holds the fields against the payload that were given, at any depth', () =>
    rolledBack(async (tx) => {
      await enqueue(tx, ship, order);
      await assertEnqueued(tx, ship, { payload: { orderId: 7, to: { city: 'Ulm' } } });
      await assertEnqueued(tx, ship, { payload: { tags: ['new', 'big'], secret: expect.any(String) as never } });
      expect(await messageOf(assertEnqueued(tx, ship, { payload: { orderId: 8, to: { city: 'Bonn' } } }))).toBe(
        [
          `No ship with the payload { orderId: 8, to: { city: 'Bonn' } } was enqueued.`,
          'Jobs of that type:',
          `  #, queued for <time>: payload.orderId is 7; payload.to.city is 'Ulm'`,
        ].join('\n'),
      );
      expect(await messageOf(assertEnqueued(tx, ship, { payload: { tags: ['new'] } }))).toContain(
        'payload.tags has 2 items',
      );
    }));

  test('shows nothing of a payload but the fields that were asked for', () =>
    rolledBack(async (tx) => {
      await enqueue(tx, ship, order);
      const message = await messageOf(assertEnqueued(tx, ship, { payload: { orderId: 8 }, key: 'x' }));
      expect(message).toContain(`with the payload { orderId: 8 } and the key "x" was enqueued`);
      expect(message).toContain('its key is null; payload.orderId is 7');
      expect(message).not.toMatch(/hunter2|Ulm|new/);
    }));

  test('reads a payload that was stored with an earlier version as today’s', () =>
    rolledBack(async (tx) => {
      await registerDefinitions(tx, defineCatalog([ship]));
      await tx.$queryRaw(
        Prisma.sql`SELECT duework.enqueue('ship', '{"orderId": 1, "city": "Ulm"}', version => 1)::text` as never,
      );
      await tx.$queryRaw(Prisma.sql`SELECT duework.enqueue('ship', '{"orderId": "secret"}')::text` as never);
      await assertEnqueued(tx, ship, { payload: { to: { city: 'Ulm' } }, count: 1 });
      expect(await messageOf(assertEnqueued(tx, ship, { payload: { orderId: 2 } }))).toMatch(
        /its payload cannot be read: \/orderId /,
      );
    }));

  test('counts exactly, and by key', () =>
    rolledBack(async (tx) => {
      await enqueueMany(
        tx,
        [1, 2, 1].map((orderId) => jobRequest(bill, { orderId })),
      );
      expect(await assertEnqueued(tx, bill, { count: 2 })).toHaveLength(2);
      await assertEnqueued(tx, bill, { key: 'bill:2', count: 1 });
      await assertEnqueued(tx, ship, { count: 0 });
      expect(await messageOf(assertEnqueued(tx, bill, { key: 'bill:2', count: 2 }))).toBe(
        [
          'Expected 2 of bill with the key "bill:2", found 1.',
          'Jobs of that type:',
          `  #, queued for <time>: its key is 'bill:1'`,
          '  #, queued for <time>: as expected',
        ].join('\n'),
      );
    }));

  test('finds every job, however many there are, and lists the last five', () =>
    rolledBack(async (tx) => {
      await enqueueMany(
        tx,
        Array.from({ length: 450 }, (_, orderId) => jobRequest(bill, { orderId })),
      );
      await assertEnqueued(tx, bill, { count: 450 });
      await assertEnqueued(tx, bill, { payload: { orderId: 0 }, count: 1 });
      const message = await messageOf(assertEnqueued(tx, bill, { payload: { orderId: 450 } }));
      expect(message.split('\n')).toHaveLength(3 + 5);
      expect(message).toContain('… 445 more');
    }));

  test('waits for what somebody else enqueues, and finds it whatever has become of it', async () => {
    const other = connectPg({ url: database.url });
    await expect(assertEnqueued(database.db, late, { within: '30ms' })).rejects.toThrow(
      'There is no job of that type.',
    );
    const [[job]] = await Promise.all([
      assertEnqueued(database.db, late, { within: '20s' }),
      enqueue(other, late, { orderId: 1 }),
    ]);
    await cancelJob(other, job!.id);
    expect(await assertEnqueued(database.db, late, { payload: { orderId: 1 } })).toMatchObject([
      { status: 'cancelled' },
    ]);
    await other.$disconnect();
  });

  test('takes a queue in memory as well', async () => {
    const queue = createMemoryQueue();
    await queue.enqueue(bill, { orderId: 1 });
    await assertEnqueued(queue, bill, { payload: { orderId: 1 } });
    await refuteEnqueued(queue, bill, { payload: { orderId: 2 } });
  });
});

describe('refuteEnqueued', () => {
  test('fails where there is one, and says which', () =>
    rolledBack(async (tx) => {
      await refuteEnqueued(tx, bill);
      await enqueueMany(
        tx,
        [1, 2].map((orderId) => jobRequest(bill, { orderId })),
      );
      await refuteEnqueued(tx, bill, { payload: { orderId: 3 } });
      expect(await messageOf(refuteEnqueued(tx, bill, { payload: { orderId: 2 } }))).toBe(
        [
          'Expected no bill with the payload { orderId: 2 }.',
          'Jobs of that type:',
          '  #, queued for <time>: as expected',
        ].join('\n'),
      );
    }));

  test('fails where one comes while it waits', async () => {
    const queue = createMemoryQueue();
    const waiting = refuteEnqueued(queue, bill, { within: '20s' });
    await queue.enqueue(bill, { orderId: 1 });
    await expect(waiting).rejects.toThrow('Expected no bill.');
  });
});

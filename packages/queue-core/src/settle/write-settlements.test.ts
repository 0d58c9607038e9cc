import { expect, test } from '@jest/globals';
import { systemClock } from '../clock.js';
import { enqueue } from '../enqueue/enqueue.js';
import { createFakeClock, createMemoryQueue } from '@duework/testing';
import { createPostgresStore } from '../store/postgres-store.js';
import { echo, useTestDatabase } from '@duework/testing/fixtures';
import { reportFailures } from '../report-failures.js';
import { SettlementWriter, type WriteAnswer } from './write-settlements.js';

const database = useTestDatabase();

test('two attempts of one run that end together each get their own answer: the stale one is lost', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const writer = new SettlementWriter(
    queue.store,
    clock,
    reportFailures('w', clock, () => {}),
  );
  const { id } = await queue.enqueue(echo, { n: 1 });
  const claim = () =>
    queue.store.claim({
      queue: 'default',
      contracts: new Map([['echo', { ...echo, leaseMs: 1_000 }]]),
      worker: 'w',
      limit: 1,
    });
  await claim();
  await clock.advance(1_001);
  await queue.store.rescue(1);
  await claim();
  const answers: [number, WriteAnswer][] = [];
  const complete = (fence: number): void =>
    writer.write({
      settlement: { kind: 'complete', id, fence, result: null },
      lease: { grantedMs: 0, leaseMs: Infinity },
      answer: (answer) => answers.push([fence, answer]),
    });
  complete(1);
  complete(2);
  await clock.advance(0);
  expect(answers).toEqual([
    [1, 'lost'],
    [2, 'succeeded'],
  ]);
});

test('on PostgreSQL, which answers by run, the stale one of two attempts that end together is lost as well', async () => {
  const store = createPostgresStore({ db: database.db });
  const writer = new SettlementWriter(
    store,
    systemClock,
    reportFailures('w', systemClock, () => {}),
  );
  const { id } = await enqueue(database.db, echo, { n: 1 });
  const claim = () =>
    store.claim({
      queue: 'default',
      contracts: new Map([['echo', { ...echo, leaseMs: 60_000 }]]),
      worker: 'w',
      limit: 1,
    });
  expect((await claim()).runs).toMatchObject([{ id, fence: 1 }]);
  await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second'`;
  await store.rescue(1);
  expect((await claim()).runs).toMatchObject([{ id, fence: 2 }]);
  const complete = (fence: number): Promise<WriteAnswer> =>
    new Promise((answer) =>
      writer.write({
        settlement: { kind: 'complete', id, fence, result: null },
        lease: { grantedMs: 0, leaseMs: Infinity },
        answer,
      }),
    );
  expect(await Promise.all([complete(1), complete(2)])).toEqual(['lost', 'succeeded']);
});

test('a run that others wait behind shares no statement with later ones, and its worker looks at once for who was let in', async () => {
  const clock = createFakeClock();
  const { store } = createMemoryQueue({ clock });
  let rings = 0;
  const writer = new SettlementWriter(
    Object.assign(Object.create(store) as typeof store, { settleGapMs: 5 }),
    clock,
    reportFailures('w', clock, () => {}),
    () => rings++,
  );
  const written: string[] = [];
  const write = (id: string, gates?: { readonly gates: readonly string[] }): void =>
    writer.write({
      settlement: { kind: 'complete', id, fence: 1, result: null, ...gates },
      lease: { grantedMs: 0, leaseMs: Infinity },
      answer: () => written.push(id),
    });
  for (const id of ['1', '2']) {
    write(id, { gates: ['order/charge.account/7'] });
    await clock.advance(0);
  }
  expect(written).toEqual(['1', '2']);
  expect(rings).toBe(2);
  write('3');
  await clock.advance(4);
  expect(written).toEqual(['1', '2']);
  await clock.advance(1);
  expect(written).toEqual(['1', '2', '3']);
  expect(rings).toBe(2);
});

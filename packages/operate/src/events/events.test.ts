import { defineEvent, defineSubscriber } from '@duework/contracts';
import { createPostgresStore, publish, registerDefinitions } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ANA, useOperated } from '../testing/use-operated.js';
import { listEvents, previewReplay, replayEvents } from './replay-events.js';
import { unsubscribe } from './unsubscribe.js';

const { db, entries, database } = useOperated();
const paid = defineEvent({ name: 'order_paid', payload: z.object({ n: z.int() }), keep: '7d' });
const receipt = defineSubscriber({ type: 'send_receipt', on: paid });
const book = defineSubscriber({ type: 'book', on: paid, queue: 'ledger', delay: '1h' });
const START = new Date(0);
const toBook = { event: 'order_paid', to: 'book', from: START };

const jobsOf = (type: string) => db().jobRun.findMany({ where: { jobType: type }, orderBy: { id: 'asc' } });
const announce = (worker: string, ...contracts: (typeof receipt)[]) =>
  createPostgresStore({ db: db() }).announceContracts({
    worker,
    queues: ['default'],
    contracts: new Map(contracts.map((contract) => [contract.type, contract])),
  });
async function publishMany(count: number, first = 1): Promise<void> {
  for (let n = first; n < first + count; n++) await publish(db(), paid, { n });
}

beforeEach(async () => {
  await emptyTables(db(), 'job_definitions, published_events, worker_contracts');
  await registerDefinitions(db(), [receipt]);
});

describe('a replay', () => {
  beforeEach(async () => {
    await publishMany(3);
    await registerDefinitions(db(), [book]);
    await publishMany(1, 4);
  });

  test('gives a new subscriber each kept event once, the oldest first, and tells the audit who did it', async () => {
    expect(await previewReplay(db(), toBook)).toEqual({ events: 3, isAtLeast: false });
    expect(await entries()).toEqual([]);
    expect(await replayEvents(db(), toBook, ANA)).toEqual({ replayed: 3, nextFrom: null });
    expect((await jobsOf('book')).map(({ payload }) => payload)).toEqual([4, 1, 2, 3].map((n) => ({ n })));
    expect(await entries()).toMatchObject([
      { by: ANA.by, verb: 'replay_events', kind: 'event', target: 'order_paid', after: { to: 'book', replayed: 3 } },
    ]);
    expect(await previewReplay(db(), toBook)).toEqual({ events: 0, isAtLeast: false });
    expect(await replayEvents(db(), toBook, ANA)).toEqual({ replayed: 0, nextFrom: null });
    expect([(await jobsOf('book')).length, (await jobsOf('send_receipt')).length]).toEqual([4, 4]);
  });

  test('by two at once gives each event once', async () => {
    const twice = await Promise.all([
      replayEvents(database.connect({ poolSize: 1 }), toBook),
      replayEvents(database.connect({ poolSize: 1 }), toBook),
    ]);
    expect(twice.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(3);
    expect(await jobsOf('book')).toHaveLength(4);
  });

  test('gives those of its time alone, each due when its delay is over, and never before what is due now', async () => {
    await db().$executeRaw`UPDATE duework.published_events SET published_at = now() - id * interval '30 minutes'`;
    const [, , third] = await db().publishedEvent.findMany({ orderBy: { id: 'asc' } });
    const [{ now }] = await db().$queryRaw<[{ now: Date }]>`SELECT now() AS now`;
    await replayEvents(db(), { ...toBook, from: third!.publishedAt, until: new Date(now.getTime() - 100) });
    for (const { payload, runAt } of (await jobsOf('book')).slice(1)) {
      expect(runAt.getTime()).toBeGreaterThanOrEqual(now.getTime());
      expect((payload as { n: number }).n).toBeLessThanOrEqual(3);
    }
  });

  test.each([
    [{ ...toBook, event: 'order_payed' }, 'event_not_found'],
    [{ ...toBook, to: 'echo' }, 'not_subscribed'],
    [{ ...toBook, from: new Date(NaN) }, 'invalid_option'],
  ])('of %j is refused with %s', async (asked, code) => {
    await expect(replayEvents(db(), asked)).rejects.toMatchObject({ code });
    await expect(previewReplay(db(), asked)).rejects.toMatchObject({ code });
  });
});

test('events are listed with who subscribes, and the workers that run it', async () => {
  expect(await listEvents(db())).toMatchObject([{ event: 'order_paid', oldestKeptAt: null }]);
  await publishMany(1);
  await registerDefinitions(db(), [book]);
  await announce('w1', receipt);
  const [row] = await db().publishedEvent.findMany();
  expect(await listEvents(db())).toEqual([
    {
      event: 'order_paid',
      version: 1,
      keepMs: 604_800_000,
      oldestKeptAt: row!.publishedAt,
      subscribers: [
        { type: 'book', queue: 'ledger', version: 1, isSubscribed: true, delayMs: 3_600_000, workers: [] },
        { type: 'send_receipt', queue: 'default', version: 1, isSubscribed: true, delayMs: 0, workers: ['w1'] },
      ],
    },
  ]);
});

test('a subscription whose contract is gone is ended, once no worker would begin it again, and an event stays known', async () => {
  await announce('w1', receipt);
  await expect(unsubscribe(db(), 'order_paid', 'send_receipt')).rejects.toMatchObject({
    code: 'still_subscribed',
    facts: { workers: ['w1'] },
  });
  await emptyTables(db(), 'worker_contracts');
  await unsubscribe(db(), 'order_paid', 'send_receipt', ANA);
  expect(await entries()).toMatchObject([{ verb: 'unsubscribe', kind: 'event', target: 'order_paid' }]);
  await expect(unsubscribe(db(), 'order_paid', 'send_receipt')).rejects.toMatchObject({ code: 'not_subscribed' });
  // whoever publishes goes on
  expect((await publish(db(), paid, { n: 1 })).jobs).toEqual([]);
  expect(await db().$queryRaw`SELECT jobs FROM duework.publish('order_paid', '{"n": 2}')`).toEqual([{ jobs: {} }]);
  // a deploy that is taken back subscribes again
  await registerDefinitions(db(), [receipt]);
  expect((await publish(db(), paid, { n: 3 })).jobs).toHaveLength(1);
});

import { deadJob, defineCatalog, defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import type { ClaimedRun, Store } from '@duework/queue-core/ports';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { passTimeInRedis } from './testing/pass-time.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const payload = z.object({ n: z.int() });
const mourned = defineJob({ type: 'mourned', payload, onDead: 'tell_support', maxAttempts: 1 });
const support = defineJob({ type: 'tell_support', payload: deadJob });
const brief = defineJob({ type: 'brief', payload, expiresAfter: '1m', onExpired: 'too_late' });
const tooLate = defineJob({ type: 'too_late', payload: z.unknown() as z.ZodType<object> });
const hurried = defineJob({ type: 'hurried', payload, maxWait: '1m' });
const urgent = defineJob({ type: 'urgent', payload, priority: 1 });
const catalog = defineCatalog([mourned, support, brief, tooLate, hurried, urgent]);
const contracts = new Map(catalog.map((contract) => [contract.type as string, contract]));

async function open(connection = redis.connect()) {
  const store = createBullmqStore({ connection });
  await store.prepare(catalog);
  return { store, queue: openBullmqQueue({ connection }) };
}

async function claim(store: Store, limit = 10): Promise<readonly ClaimedRun[]> {
  return (await store.claim({ queue: 'default', contracts, worker: 'w', limit })).runs;
}

/** A store whose process dies before it can tell anybody of an end. */
async function openDying(): Promise<{ store: Store; hasDied: Promise<void> }> {
  const connection: Redis = redis.connect();
  const { store } = await open(connection);
  const hasDied = new Promise<void>((resolve) => {
    Object.assign(connection, {
      hget: () => {
        resolve();
        return new Promise(() => {});
      },
    });
  });
  return { store, hasDied };
}

test('a death of which its worker could tell nobody any more is told by another, once', async () => {
  const { store, queue } = await open();
  const { id } = await queue.enqueue(mourned, { n: 1 });
  const dying = await openDying();
  const [run] = await claim(dying.store);
  const error = { code: 'boom', type: 'Error', message: 'it went wrong', stack: null };
  void dying.store.settle([{ kind: 'bury', id, fence: run!.fence, error, abort: null }]);
  await dying.hasDied;
  expect((await queue.getJob(id)).job.status).toBe('dead');
  await store.expire(100);
  expect(await claim(store)).toEqual([]);
  await passTimeInRedis(redis.connect(), 31_000);
  await store.expire(100);
  await store.expire(100);
  expect(await claim(store)).toMatchObject([{ type: 'tell_support', payload: { jobId: id, errorCode: 'boom' } }]);
});

test('an end in time of which a worker could tell nobody any more is told by another, once', async () => {
  const { store, queue } = await open();
  const { id } = await queue.enqueue(brief, { n: 1 });
  await passTimeInRedis(redis.connect(), 61_000);
  const dying = await openDying();
  void dying.store.expire(100);
  await dying.hasDied;
  expect((await queue.getJob(id)).job).toMatchObject({ status: 'cancelled', errorCode: 'expired' });
  expect(await store.expire(100)).toEqual({ expired: [], isAll: true });
  await store.expire(100);
  expect(await claim(store)).toMatchObject([{ type: 'too_late', payload: { jobId: id, payload: { n: 1 } } }]);
});

test('what has waited for longer than its contract allows is taken before all others', async () => {
  const { store, queue } = await open();
  await queue.enqueue(hurried, { n: 1 });
  await passTimeInRedis(redis.connect(), 61_000);
  await queue.enqueueMany([jobRequest(urgent, { n: 2 }), jobRequest(hurried, { n: 3 })]);
  expect(await store.raiseWaiting()).toBe(1);
  expect(await store.raiseWaiting()).toBe(0);
  expect((await claim(store)).map((run) => run.payload)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a worker settles after the end of its lease, as long as nobody has taken the job from it', async () => {
  const { store, queue } = await open();
  const { id } = await queue.enqueue(urgent, { n: 1 });
  const [run] = await claim(store);
  await passTimeInRedis(redis.connect(), contracts.get('urgent')!.leaseMs + 1);
  expect(await store.extendLeases([{ id, fence: run!.fence, leaseMs: 1_000, renew: 'when_short' }])).toHaveLength(1);
  expect(await store.settle([{ kind: 'complete', id, fence: run!.fence, result: 1 }])).toEqual(['succeeded']);
});

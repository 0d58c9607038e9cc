import { defineJob } from '@duework/contracts';
import { jobRequest, type EnqueueOptions, type Worker } from '@duework/queue-core';
import { makeNewRun, type NewRun } from '@duework/queue-core/ports';
import { carryForwards, forward, forwardJob, originOf, type CarriedForward } from '@duework/shards';
import { startTestWorker } from '@duework/testing';
import { charge, echo, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBullmqStore } from '../create-bullmq-store.js';
import { openBullmqQueue } from '../open-bullmq-queue.js';
import { passTimeInRedis } from '../testing/pass-time.js';
import { bullmqTarget, type BullmqTarget } from './bullmq-target.js';
import { useRedis } from './testing/use-redis.js';

const database = useTestDatabase();
const redis = useRedis();
const workers: Worker[] = [];
const targets: BullmqTarget[] = [];

beforeEach(async () => {
  await database.db.$executeRaw`WITH k AS (DELETE FROM duework.job_keys) DELETE FROM duework.job_runs`;
  await redis.redis.flushall();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  for (const target of targets.splice(0)) target.close();
});

function openTarget(): BullmqTarget {
  const target = bullmqTarget({ connection: redis.redis });
  targets.push(target);
  return target;
}

async function carry(): Promise<void> {
  const handlers = { duework_forward: carryForwards(await originOf(database.db), { dedicated: openTarget() }) };
  workers.push((await startTestWorker(database.db, { catalog: [forwardJob], handlers })).worker);
}

const waiting = () => redis.queue('default').getJobs(['wait', 'prioritized', 'delayed']);
const runOf = (options: EnqueueOptions = {}): NewRun => makeNewRun(jobRequest(echo, { n: 1 }, options));
const one = (given: Partial<CarriedForward> = {}): CarriedForward => ({
  id: '17',
  run: runOf(),
  createdAtMs: Date.now(),
  ...given,
});

describe('a forward into the dedicated queue', () => {
  test('commits with the transaction that it was written in, and names the job that it has become', async () => {
    await carry();
    const { id } = await database.db.$transaction((tx) => forward(tx, 'dedicated', echo, { n: 1 }, { priority: 2 }));
    const { result } = await untilJob(database.db, id, { status: 'succeeded' });
    const own = `f${await originOf(database.db)}-${id}`;
    expect(result).toEqual({ id: `default:${own}`, deduplicated: false });
    expect(await waiting()).toMatchObject([{ id: own, name: 'echo', data: { n: 1 }, priority: 3 }]);
  });

  test('leaves nothing anywhere where that transaction is rolled back', async () => {
    await carry();
    await expect(
      database.db.$transaction(async (tx) => {
        await forward(tx, 'dedicated', echo, { n: 1 });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    const next = await forward(database.db, 'dedicated', echo, { n: 2 });
    await untilJob(database.db, next.id, { status: 'succeeded' });
    expect(await waiting()).toMatchObject([{ data: { n: 2 } }]);
  });

  test('that is carried twice, or many times at once, makes one job', async () => {
    const target = openTarget();
    const answers = await Promise.all(Array.from({ length: 8 }, () => target.carry('here', [one()])));
    expect(answers).toEqual(Array.from({ length: 8 }, () => [{ id: 'default:fhere-17', deduplicated: false }]));
    expect(await waiting()).toHaveLength(1);
  });

  test('of one database is another one than that of the same number of another database', async () => {
    const target = openTarget();
    await target.carry('here', [one()]);
    await target.carry('there', [one()]);
    expect(await waiting()).toHaveLength(2);
  });

  test('whose job has a key makes one job for it, and says that it was there, also when it is carried again', async () => {
    const target = openTarget();
    const run = makeNewRun(jobRequest(charge, { invoice: 1 }));
    const first = one({ id: '1', run });
    const second = one({ id: '2', run });
    const answers = [
      { id: 'default:fhere-1', deduplicated: false },
      { id: 'default:fhere-1', deduplicated: true },
    ];
    expect(await target.carry('here', [first, second])).toEqual(answers);
    expect(await target.carry('here', [first, second])).toEqual(answers);
    expect(await waiting()).toHaveLength(1);
  });

  test('whose key holds for a window holds it from the moment at which the caller enqueued', async () => {
    const target = openTarget();
    const windowed = defineJob({ type: 'windowed', payload: z.object({}), idempotencyWindow: '1h' });
    const run = makeNewRun(jobRequest(windowed, {}, { idempotencyKey: 'k' }));
    await target.carry('here', [one({ id: '1', run, createdAtMs: Date.now() - 50 * 60_000 })]);
    const [key] = await redis.redis.keys('duework:default:de:*');
    expect(Math.round((await redis.redis.pttl(key!)) / 60_000)).toBe(10);
    // by the caller's time the window is over
    const late = one({ id: '2', run, createdAtMs: Date.now() - 70 * 60_000 });
    expect(await target.carry('here', [late])).toMatchObject([{ deduplicated: true }]);
  });

  test('keeps the moment at which its job was to be due, however long the way was', async () => {
    const { id } = await forward(database.db, 'dedicated', echo, { n: 1 }, { delay: '1h' });
    await database.db.$executeRaw`UPDATE duework.job_runs SET created_at = created_at - interval '50 minutes'`;
    await carry();
    await untilJob(database.db, id, { status: 'succeeded' });
    const [job] = await waiting();
    expect(Math.round((job!.timestamp + job!.delay - Date.now()) / 60_000)).toBe(10);
  });

  test('that cannot be a job does not hold up those beside it', async () => {
    const good = await forward(database.db, 'dedicated', echo, { n: 1 });
    const bad = await forward(database.db, 'dedicated', echo, { n: 2 });
    // as a program of another version might have written it
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET payload = jsonb_set(payload, '{run,payloadJson}', '"{"') WHERE id = ${BigInt(bad.id)}`;
    await carry();
    await untilJob(database.db, good.id, { status: 'succeeded' });
    expect((await untilJob(database.db, bad.id, { status: 'failed' })).errorCode).toBe('payload_not_storable');
    expect(await waiting()).toMatchObject([{ data: { n: 1 } }]);
  });

  test('is known as long as it may be carried again, however soon finished jobs are removed', async () => {
    const target = openTarget();
    const store = createBullmqStore({ connection: redis.redis });
    const { worker } = await startTestWorker(database.db, {
      store,
      catalog: [echo],
      handlers: { echo: async () => {} },
    });
    workers.push(worker);
    const queue = openBullmqQueue({ connection: redis.redis });
    const [job] = await target.carry('here', [one()]);
    const other = await queue.enqueue(echo, { n: 2 });
    await untilJob(queue, job!.id, { status: 'succeeded' });
    await untilJob(queue, other.id, { status: 'succeeded' });
    const keepNothing = { keepDays: -1, keepDeadDays: -1 };
    await store.prune(keepNothing);
    expect(await target.carry('here', [one()])).toEqual([job]);
    expect((await queue.getJob(job!.id)).job.status).toBe('succeeded');
    await expect(queue.getJob(other.id)).rejects.toMatchObject({ code: 'job_not_found' });
    await passTimeInRedis(redis.redis, 6 * 86_400_000);
    await store.prune(keepNothing);
    await expect(queue.getJob(job!.id)).rejects.toMatchObject({ code: 'job_not_found' });
  });
});

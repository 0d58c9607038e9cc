import assert from 'node:assert/strict';
import { createBullmqStore, openBullmqQueue } from '@duework/bullmq';
import { complete, defineCatalog, defineJob, DueworkError } from 'duework';
import { createWorker } from 'duework/worker';
import { Redis } from 'ioredis';
import { z } from 'zod';

const KIND = typeof module === 'undefined' ? 'esm' : 'cjs';
const pay = defineJob({ type: `pay_${KIND}`, payload: z.object({ orderId: z.number() }), queue: KIND });
const lasting = defineJob({ type: 'lasting', payload: z.object({}), durable: true });
const silent = () => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };

async function main() {
  const connection = new Redis(process.env.DUEWORK_REDIS_URL, { maxRetriesPerRequest: null });
  const queue = openBullmqQueue({ connection });
  const store = createBullmqStore({ connection });
  const { id } = await queue.enqueue(pay, { orderId: 812 });
  const done = new Promise((resolve) => {
    const worker = createWorker({
      name: KIND,
      store,
      catalog: defineCatalog([pay]),
      handlers: { [pay.type]: ({ payload }) => complete({ paid: payload.orderId }) },
      emit: ({ name }) => name === 'job.succeeded' && resolve(worker),
      logOf: () => log,
    });
    void worker.start();
  });
  await (await done).stop({ deadlineMs: 1_000 });
  const { job } = await queue.getJob(id);
  assert.equal(job.status, 'succeeded');
  assert.deepEqual(job.result, { paid: 812 });
  // duework's own bundle knows the error of this one
  await assert.rejects(store.prepare(defineCatalog([lasting])), (error) => DueworkError.is(error, 'not_supported'));
  await connection.quit();
}

void main();

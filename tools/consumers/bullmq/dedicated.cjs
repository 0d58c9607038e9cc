const assert = require('node:assert/strict');
const { createBullmqStore, openBullmqQueue } = require('@duework/bullmq');
const { complete, defineCatalog, defineJob, DueworkError } = require('duework');
const { createWorker } = require('duework/worker');
const { Redis } = require('ioredis');
const { z } = require('zod');

const KIND = 'cjs';
const pay = defineJob({ type: `pay_${KIND}`, payload: z.object({ orderId: z.number() }), queue: KIND });
const lasting = defineJob({ type: 'lasting', payload: z.object({}), durable: true });
const silent = () => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };

async function main() {
  const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });
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

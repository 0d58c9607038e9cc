import assert from 'node:assert/strict';
import { createBullmqStore, openBullmqQueue } from '@duework/bullmq';
import { bullmqTarget, openDedicated } from '@duework/bullmq/outbox';
import { defineCatalog, defineJob } from 'duework';
import { carryForwards, forwardJob, originOf } from 'duework/shards';
import { createWorker, runWorker } from 'duework/worker';
import { Redis } from 'ioredis';
import pg from 'pg';
import { z } from 'zod';

const KIND = 'esm';
const receipt = defineJob({ type: `receipt_${KIND}`, payload: z.object({ orderId: z.number() }) });
const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function main() {
  const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });
  const queue = openDedicated({ db, dedicated: openBullmqQueue({ connection }), types: [receipt.type] });

  const client = await db.connect();
  await client.query('BEGIN');
  const { id } = await queue.in(client).enqueue(receipt, { orderId: 812 });
  await client.query('COMMIT');
  client.release();

  // the worker of the table carries it over, and one of Redis does it
  const target = bullmqTarget({ connection });
  const stopping = new AbortController();
  let tell;
  const done = new Promise((resolve) => (tell = resolve));
  const worker = createWorker({
    name: 'of-redis',
    store: createBullmqStore({ connection }),
    catalog: defineCatalog([receipt]),
    handlers: { [receipt.type]: ({ payload }) => tell(payload.orderId) },
    emit: ({ name }) => {
      if (name === 'job.succeeded') stopping.abort();
    },
    logOf: () => silent,
  });
  await worker.start();
  await runWorker({
    catalog: defineCatalog([forwardJob]),
    handlers: { duework_forward: carryForwards(await originOf(db), { dedicated: target }) },
    workerPort: 'none',
    signal: stopping.signal,
  });
  assert.equal(await done, 812);
  await worker.stop({ deadlineMs: 5_000 });
  assert.equal((await queue.getJob(id)).job.status, 'succeeded');
  target.close();
  connection.disconnect();
  await db.end();
}

await main();

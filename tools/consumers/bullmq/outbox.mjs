import assert from 'node:assert/strict';
import { openBullmqQueue } from '@duework/bullmq';
import { openDedicated } from '@duework/bullmq/outbox';
import { defineCatalog, defineJob } from 'duework';
import { runWorker } from 'duework/worker';
import { Redis } from 'ioredis';
import pg from 'pg';
import { z } from 'zod';

const KIND = typeof module === 'undefined' ? 'esm' : 'cjs';
const receipt = defineJob({ type: `receipt_${KIND}`, payload: z.object({ orderId: z.number() }) });

async function main() {
  const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const connection = new Redis(process.env.DUEWORK_REDIS_URL, { maxRetriesPerRequest: null });
  const queue = openDedicated({ db, dedicated: openBullmqQueue({ connection }), types: [receipt.type] });

  const client = await db.connect();
  await client.query('BEGIN');
  const { id } = await queue.in(client).enqueue(receipt, { orderId: 812 });
  await client.query('COMMIT');
  client.release();

  // the worker finds Redis by its variable: it carries the job there, and does it
  let done;
  const stopping = new AbortController();
  await runWorker({
    catalog: defineCatalog([receipt]),
    handlers: { [receipt.type]: ({ payload }) => void (done = payload.orderId) },
    workerPort: 'none',
    signal: stopping.signal,
    onEvent: ({ name, run }) => {
      if (name === 'job.succeeded' && run.type === receipt.type) stopping.abort();
    },
  });
  assert.equal(done, 812);
  assert.equal((await queue.getJob(id)).job.status, 'succeeded');
  connection.disconnect();
  await db.end();
}

void main();

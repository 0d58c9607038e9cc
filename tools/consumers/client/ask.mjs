import assert from 'node:assert/strict';
import { ClientError, createClient } from '@duework/client';
import { createQueueHandler } from '@duework/http';
import { defineCatalog, defineJob } from 'duework';
import pg from 'pg';
import { z } from 'zod';

const ping = defineJob({ type: 'ping', payload: z.object({ n: z.number() }) });
const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const scopes = ['enqueue', 'read', 'operate', 'payloads'];
const authorize = async () => ({ id: 'key:1', name: 'key:check', kind: 'key', scopes, types: null, from: null });
const handler = createQueueHandler({ db, catalog: defineCatalog([ping]), basePath: '/queue', authorize });
const queue = createClient({
  url: 'http://localhost/queue',
  fetch: (url, init) => handler(new Request(url, init)),
});

async function main() {
  const { id } = await queue.enqueue(ping, { n: 1 }, { delaySeconds: 60 });
  const many = await queue.enqueueMany(ping, [
    { payload: { n: 2 }, delaySeconds: 60 },
    { payload: { n: 3 }, delaySeconds: 60 },
  ]);
  assert.equal(many.length, 2);
  const seen = [];
  for await (const { status } of queue.follow(id)) {
    seen.push(status);
    if (status === 'queued') await queue.cancel(id);
  }
  assert.deepEqual(seen, ['queued', 'cancelled']);
  assert.equal((await queue.getJob(id)).job.finishedAt instanceof Date, true);
  await assert.rejects(queue.getJob('7'), (error) => ClientError.is(error, 'job_not_found'));
  await db.end();
}

void main();

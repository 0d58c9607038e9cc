/**
 * Carries forwards, and moves the type `hop` there and back, over and over, until it is killed:
 * `node move-program.mjs <url of the database> <port of Redis>`. It sends a message after each move.
 */
import { connectPg } from '@duework/database';
import { createPostgresStore, createWorker, heartbeatInThread } from '@duework/queue-core';
import { carryForwards, forwardJob, forwardWaiting, originOf } from '@duework/shards';
import { bringBack, bullmqTarget } from '@duework/bullmq/outbox';
import { Redis } from 'ioredis';

const [url, port] = process.argv.slice(2);
const silent = () => {};
const db = connectPg({ url });
const connection = new Redis(Number(port), '127.0.0.1', { maxRetriesPerRequest: null });
// few in each call, so that a process dies among many
const few = { ...forwardJob, collect: { ...forwardJob.collect, max: 7 } };
const worker = createWorker({
  name: `mover-${process.pid}`,
  store: createPostgresStore({ db }),
  leases: heartbeatInThread({ url, options: '', isPooled: false, catalog: [few] }),
  catalog: [few],
  handlers: { duework_forward: carryForwards(await originOf(db), { dedicated: bullmqTarget({ connection }) }) },
  concurrency: 7,
  buffer: 0,
  emit: silent,
  logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
});
await worker.start();
const hop = { type: 'hop', queue: 'default', queues: [] };
for (;;) {
  const { forwarded } = await forwardWaiting(db, 'dedicated', hop);
  process.send({ forwarded });
  const { brought } = await bringBack({ db, connection, contract: hop });
  process.send({ brought });
}

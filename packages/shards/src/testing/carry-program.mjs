/** A worker of shard a that carries forwards to b, one call at a time: `node carry-program.mjs <url of a> <url of b>`. */
import { connectPg } from '@duework/database';
import { createPostgresStore, createWorker, heartbeatInThread } from '@duework/queue-core';
import { carryForwards, forwardJob } from '@duework/shards';

const [urlA, urlB] = process.argv.slice(2);
const silent = () => {};
const a = connectPg({ url: urlA });
const b = connectPg({ url: urlB });
// few in each call, so that a process dies among many
const few = { ...forwardJob, collect: { ...forwardJob.collect, max: 7 } };
const worker = createWorker({
  name: `carrier-${process.pid}`,
  store: createPostgresStore({ db: a }),
  leases: heartbeatInThread({ url: urlA, options: '', isPooled: false, catalog: [few] }),
  catalog: [few],
  handlers: { duework_forward: carryForwards('a', { a, b }) },
  concurrency: 7,
  buffer: 0,
  emit: silent,
  logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
});
await worker.start();
process.send('started');

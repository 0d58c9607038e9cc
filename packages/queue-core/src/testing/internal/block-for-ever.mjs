/** A worker whose handler gives the event loop back the first time, and never again. It tells the id of each run it starts. */
import { writeSync } from 'node:fs';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, parseDatabaseUrl } from '@duework/database';
import { createPostgresStore, createWorker, heartbeatInThread } from '@duework/queue-core';
import { z } from 'zod';

const [url] = process.argv.slice(2);
const silent = () => {};
let started = 0;
const catalog = defineCatalog([defineJob({ type: 'stuck', payload: z.object({}), timeout: '500ms', lease: '1s' })]);
const worker = createWorker({
  name: 'stuck',
  store: createPostgresStore({ db: connectPg({ url }) }),
  catalog,
  handlers: {
    stuck: ({ run }) => {
      // nothing that is sent would leave this process any more
      writeSync(1, `${run.id}\n`);
      if (started++ > 0) for (;;);
    },
  },
  emit: silent,
  logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
  concurrency: 1,
  buffer: 1,
  graceMs: 100,
  leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
});
await worker.start();

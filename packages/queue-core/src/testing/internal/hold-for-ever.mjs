/** A worker that keeps every run it gets: `node hold-for-ever.mjs <url> <its name>`. It tells the id of each. */
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, parseDatabaseUrl } from '@duework/database';
import { createPostgresStore, createWorker, heartbeatInThread } from '@duework/queue-core';
import { z } from 'zod';

const [url, name] = process.argv.slice(2);
const silent = () => {};
const catalog = defineCatalog([defineJob({ type: 'long', payload: z.object({}), lease: '10m', timeout: '1h' })]);
const worker = createWorker({
  name,
  store: createPostgresStore({ db: connectPg({ url }) }),
  catalog,
  handlers: {
    long: ({ run }) => {
      process.stdout.write(`${run.id}\n`);
      return new Promise(() => {});
    },
  },
  emit: silent,
  logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
  pollIntervalMs: 10,
  leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
});
await worker.start();

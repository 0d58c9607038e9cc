/**
 * A worker process that dies at a crash point: `node die-at-point.mjs <url of the database> <point[:nth]>`. It runs what
 * was built, and says on its output what its effect did.
 */
import { setTimeout } from 'node:timers';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg } from '@duework/database';
import { z } from 'zod';
import { createPostgresStore, createWorker } from '../../../dist/index.js';
import { dieAt, silentLog } from '../../../dist/testing/index.js';

const [url, where] = process.argv.slice(2);
const mailer = defineJob({ type: 'mailer', payload: z.object({ to: z.string() }), lease: '5s' });
const db = connectPg({ url });
const worker = createWorker({
  name: 'the one that dies',
  store: createPostgresStore({ db, heartbeatDb: db }),
  catalog: defineCatalog([mailer]),
  handlers: { mailer: async ({ once }) => void (await once('mail', () => void process.stdout.write('sent\n'))) },
  emit: (event) => void (event.name === 'job.succeeded' && process.stdout.write('told\n')),
  logOf: () => silentLog,
  pollIntervalMs: 10,
  crashHook: dieAt(where),
});
await worker.start();
// whoever started it has given it up by then
setTimeout(() => process.exit(1), 30_000);

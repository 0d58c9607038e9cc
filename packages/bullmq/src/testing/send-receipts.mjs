/**
 * A worker that mails receipts: `node send-receipts.mjs <port of Redis> <its name> <after how many mails it hangs>`. A mail
 * is a line with its number; it hangs when that has left, before anybody has written that it has.
 */
import { createBullmqStore } from '@duework/bullmq';
import { receipts } from '@duework/bullmq/testing';
import { createWorker } from '@duework/queue-core';
import { Redis } from 'ioredis';

const [port, name, hangsAfter] = process.argv.slice(2);
const silent = () => {};
let sent = 0;
const worker = createWorker({
  name,
  store: createBullmqStore({ connection: new Redis(Number(port), '127.0.0.1', { maxRetriesPerRequest: null }) }),
  catalog: receipts,
  concurrency: 5,
  handlers: {
    receipt: async ({ once, payload }) => {
      await once('mail', async () => {
        process.stdout.write(`${payload.n}\n`);
        if (++sent > Number(hangsAfter)) await new Promise(() => {});
      });
    },
  },
  emit: silent,
  logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
  pollIntervalMs: 20,
  maintenance: { rescueIntervalMs: 50 },
});
await worker.start();

/** Duework over a dedicated queue: the same engine, contract and handler as over PostgreSQL, on BullMQ and Redis. */
import { createBullmqStore, openBullmqQueue } from '@duework/bullmq';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createWorker, jobRequest, type HandlerLog } from '@duework/queue-core';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Adapter, Payload } from './system.js';

const CONCURRENCY = 100;
const STOP_MS = 5_000;
const DAY_MS = 86_400_000;
const BATCH = 1_000;

const sendMail = defineJob({ type: 'send_mail', payload: z.object({ id: z.int(), to: z.string() }) });
const catalog = defineCatalog([sendMail]);
const noLog: HandlerLog = { debug() {}, info() {}, warn() {}, error() {} };

/** A Redis needs no tables. */
export const makeAdapter = (): Adapter => ({
  install: async () => {},
  openProducer,
  async openBusinessProducer(url) {
    const { queue, close } = open(url);
    return {
      enqueueAfter: (payload, { isKeyed }) =>
        queue.enqueue(sendMail, payload, isKeyed ? { idempotencyKey: `mail:${payload.id}` } : {}),
      close,
    };
  },
  openWorker,
  async openInspector(url) {
    const { queue, close } = open(url);
    return {
      async isDrained() {
        const depths = await queue.queueDepth();
        return depths.every(({ due, running }) => due + running === 0);
      },
      close,
    };
  },
  async fill(url, { future }) {
    const { enqueueMany, close } = await openProducer(url);
    const dueAt = new Date(Date.now() + DAY_MS);
    for (let id = 0; id < future; id += BATCH)
      await enqueueMany(
        Array.from({ length: Math.min(BATCH, future - id) }, (_, index) => ({ id: id + index, to: 'a@example.com' })),
        { dueAt },
      );
    await close();
  },
});

function connect(url: string): Redis {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  connection.on('error', () => {});
  return connection;
}

function open(url: string): {
  readonly queue: ReturnType<typeof openBullmqQueue>;
  readonly close: () => Promise<void>;
} {
  const connection = connect(url);
  return { queue: openBullmqQueue({ connection }), close: async () => connection.disconnect() };
}

const openProducer: Adapter['openProducer'] = async (url) => {
  const { queue, close } = open(url);
  return {
    enqueue: (payload) => queue.enqueue(sendMail, payload),
    enqueueMany(payloads, { dueAt } = {}) {
      const options = dueAt === undefined ? {} : { runAt: dueAt };
      return queue.enqueueMany(payloads.map((payload) => jobRequest(sendMail, payload, options)));
    },
    close,
  };
};

const openWorker: Adapter['openWorker'] = async (url, { handle, concurrency = CONCURRENCY }) => {
  const connection = connect(url);
  let start = (): void => {};
  const opened = new Promise<void>((resolve) => (start = resolve));
  const worker = createWorker({
    name: `bench-${process.pid}`,
    store: createBullmqStore({ connection }),
    catalog,
    handlers: { send_mail: ({ payload }: { readonly payload: Payload }) => handle(payload) },
    emit: (event) => {
      if (event.name === 'database.failed') process.emitWarning(String(event.error));
    },
    logOf: () => noLog,
    concurrency,
    brake: { whenOff: () => opened },
  });
  await worker.start();
  return {
    start,
    async stop() {
      start();
      await worker.stop({ deadlineMs: STOP_MS });
      connection.disconnect();
    },
  };
};

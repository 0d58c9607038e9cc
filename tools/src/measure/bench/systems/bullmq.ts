/** BullMQ on a Redis with an append-only file. */
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import {
  PACE,
  type Adapter,
  type BusinessProducer,
  type Inspector,
  type Lane,
  type Payload,
  type Producer,
  type RowsAround,
} from './system.js';

const QUEUE = 'send_mail';
const CONCURRENCY = 100;
const BATCH = 1_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** Finished jobs are removed, as its guide for production says; the newest `count` are its history. */
const KEEP = { removeOnComplete: { count: 1_000 }, removeOnFail: { count: 1_000 } };

/** BullMQ's functions. A Redis needs no tables. */
export const makeAdapter = (): Adapter => ({
  install: async () => {},
  openProducer,
  openBusinessProducer,
  openWorker,
  openInspector,
  fill,
});

function connect(url: string): Redis {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  connection.on('error', () => {});
  return connection;
}

interface OpenQueue {
  readonly queue: Queue;
  close(): Promise<void>;
}

async function openQueue(url: string): Promise<OpenQueue> {
  const connection = connect(url);
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: KEEP });
  await queue.waitUntilReady();
  return {
    queue,
    async close() {
      await queue.close();
      connection.disconnect();
    },
  };
}

async function openBusinessProducer(url: string): Promise<BusinessProducer> {
  const { queue, close } = await openQueue(url);
  return {
    enqueueAfter: (payload, { isKeyed }) =>
      isKeyed ? queue.add(QUEUE, payload, { jobId: `mail-${payload.id}` }) : queue.add(QUEUE, payload),
    close,
  };
}

async function openProducer(url: string, lane?: Lane): Promise<Producer> {
  const { queue, close } = await openQueue(url);
  if (lane === 'ordered') await queue.setGlobalConcurrency(1);
  return {
    enqueue: (payload) => queue.add(QUEUE, payload),
    enqueueMany(payloads, { dueAt } = {}) {
      const opts = dueAt === undefined ? {} : { delay: Math.max(0, dueAt.getTime() - Date.now()) };
      return queue.addBulk(payloads.map((data) => ({ name: QUEUE, data, opts })));
    },
    close,
  };
}

const openWorker: Adapter['openWorker'] = async (url, { handle, concurrency = CONCURRENCY, lane }) => {
  const connection = connect(url);
  const worker = new Worker<Payload>(QUEUE, async ({ data }) => handle(data), {
    connection,
    concurrency,
    autorun: false,
    ...(lane === 'paced' && { limiter: { max: PACE, duration: SECOND_MS } }),
  });
  worker.on('error', () => {});
  await worker.waitUntilReady();
  return {
    start: () => void worker.run().catch(() => {}),
    async stop() {
      await worker.close();
      connection.disconnect();
    },
  };
};

async function openInspector(url: string): Promise<Inspector> {
  const connection = connect(url);
  const queue = new Queue(QUEUE, { connection });
  await queue.waitUntilReady();
  let counted = 0;
  return {
    async isDrained() {
      const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
      return waiting + active === 0;
    },
    /** Counts this Redis's commands since the last call, without the counting itself. */
    async countCommands() {
      const count = Number(/total_commands_processed:(\d+)/.exec(await connection.info('stats'))?.[1]);
      const since = count - 1 - counted;
      counted = count;
      return since;
    },
    async close() {
      await queue.close();
      connection.disconnect();
    },
  };
}

/** Adds future jobs only, because it keeps no more than a thousand finished ones. */
async function fill(url: string, { future }: RowsAround): Promise<void> {
  const producer = await openProducer(url);
  const dueAt = new Date(Date.now() + DAY_MS);
  for (let id = 0; id < future; id += BATCH) {
    await producer.enqueueMany(
      Array.from({ length: Math.min(BATCH, future - id) }, (_, index) => ({ id: id + index, to: 'a@example.com' })),
      { dueAt },
    );
  }
  await producer.close();
}

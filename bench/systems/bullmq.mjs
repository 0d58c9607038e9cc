/** BullMQ on a Redis with an append-only file. */
import { importRival } from '../rivals/import-rival.mjs';

const QUEUE = 'send_mail';
const CONCURRENCY = 100;
const BATCH = 1_000;
/** What is finished is removed, as its guide for production says; its history is what `count` keeps. */
const KEEP = { removeOnComplete: { count: 1_000 }, removeOnFail: { count: 1_000 } };

const { Queue, Worker } = (await importRival('bullmq')).default;
const { default: Redis } = await importRival('ioredis');

const connect = (url) => {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  connection.on('error', () => {});
  return connection;
};

async function openProducer(url) {
  const connection = connect(url);
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: KEEP });
  await queue.waitUntilReady();
  return {
    enqueue: (payload) => queue.add(QUEUE, payload),
    enqueueMany: (payloads, { dueAt } = {}) =>
      queue.addBulk(
        payloads.map((data) => ({
          name: QUEUE,
          data,
          opts: dueAt === undefined ? {} : { delay: Math.max(0, dueAt - Date.now()) },
        })),
      ),
    async close() {
      await queue.close();
      connection.disconnect();
    },
  };
}

async function openWorker(url, { handle, concurrency = CONCURRENCY }) {
  const connection = connect(url);
  const worker = new Worker(QUEUE, async ({ data }) => handle(data), { connection, concurrency, autorun: false });
  worker.on('error', () => {});
  await worker.waitUntilReady();
  return {
    start: () => void worker.run().catch(() => {}),
    async stop() {
      await worker.close();
      connection.disconnect();
    },
  };
}

async function openInspector(url) {
  const connection = connect(url);
  const queue = new Queue(QUEUE, { connection });
  await queue.waitUntilReady();
  let counted = 0;
  return {
    async isDrained() {
      const { waiting, active } = await queue.getJobCounts('waiting', 'active');
      return waiting + active === 0;
    },
    /** What this Redis has been asked since the last call, but for the asking. */
    async countCommands() {
      const count = Number(/total_commands_processed:(\d+)/.exec(await connection.info('stats'))[1]);
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

/** It keeps a thousand finished ones, whatever there was. */
async function fill(url, { future }) {
  const producer = await openProducer(url);
  const dueAt = new Date(Date.now() + 86_400_000);
  for (let id = 0; id < future; id += BATCH) {
    await producer.enqueueMany(
      Array.from({ length: Math.min(BATCH, future - id) }, (_, index) => ({ id: id + index, to: 'a@example.com' })),
      { dueAt },
    );
  }
  await producer.close();
}

export const makeAdapter = () => ({ install() {}, openProducer, openWorker, openInspector, fill });

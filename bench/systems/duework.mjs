/** Duework as a user puts it together: history, fences, leases in a thread of their own and all chores on. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { isDrainedSql, openSqlInspector, queryOnce } from './query-once.mjs';

const CONCURRENCY = 100;
const WORKER_POOL = 4;
const PRODUCER_POOL = 10;

const built = (name) => import(join(root, 'packages', name, 'dist/index.js'));
const { defineCatalog, defineJob } = await built('contracts');
const { connectPg, parseDatabaseUrl } = await built('database');
const { createPostgresStore, createTicker, createWorker, enqueueMany, jobRequest, keepLeasesInThread, openQueue } =
  await built('queue-core');
const { z } = createRequire(join(root, 'packages/contracts/package.json'))('zod');

const sendMail = defineJob({ type: 'send_mail', payload: z.object({ id: z.int(), to: z.string() }) });
const catalog = defineCatalog([sendMail]);
const noLog = { debug() {}, info() {}, warn() {}, error() {} };

async function install(url) {
  const { migrateDatabase } = await import(join(root, 'packages/database/dist/migrate/index.js'));
  await migrateDatabase({ url });
}

async function openProducer(url) {
  const db = connectPg({ url, poolSize: PRODUCER_POOL, applicationName: 'bench-producer' });
  const queue = openQueue(db);
  await db.$connect();
  return {
    enqueue: (payload) => queue.enqueue(sendMail, payload),
    enqueueMany: (payloads, { dueAt } = {}) =>
      enqueueMany(
        db,
        payloads.map((payload) => jobRequest(sendMail, payload, dueAt === undefined ? {} : { runAt: dueAt })),
      ),
    close: () => db.$disconnect(),
  };
}

async function openWorker(url, { handle, concurrency = CONCURRENCY }) {
  const db = connectPg({ url, poolSize: WORKER_POOL, applicationName: 'bench-worker' });
  await db.$connect();
  const name = `bench-${process.pid}`;
  const emit = (event) => {
    if (event.name === 'database.failed') process.emit('warning', event.error);
  };
  // everything is up, leases and listener included; only the first claim waits for the others to be ready
  let open = () => {};
  const opened = new Promise((resolve) => (open = resolve));
  const worker = createWorker({
    name,
    store: createPostgresStore({ db }),
    leases: keepLeasesInThread({ ...parseDatabaseUrl(url), catalog }),
    catalog,
    handlers: { send_mail: ({ payload }) => handle(payload) },
    emit,
    ticker: createTicker({ db, catalog, worker: name, emit }),
    logOf: () => noLog,
    concurrency,
    gate: { open: () => opened },
  });
  await worker.start();
  return {
    start: open,
    async stop() {
      open();
      await worker.stop({ deadlineMs: 5_000 });
      await db.$disconnect();
    },
  };
}

const openInspector = (url) => openSqlInspector(url, isDrainedSql('duework.job_runs'));

/** What is below 0 is never drained. */
async function fill(url, { finished, future }) {
  await queryOnce(
    url,
    `SELECT duework.ensure_partitions(7)`,
    `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
     SELECT nextval('duework.job_runs_id_seq'), 'default', 'send_mail', 1, 'succeeded', 5, now(), jsonb_build_object('id', n, 'to', 'a@example.com'), 1, 10, 1, 'bench', now(), now(), now()
     FROM generate_series(1, ${finished}) AS n`,
    `INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
     SELECT -n, 'default', 'send_mail', 1, 5, now() + interval '1 day' + n * interval '10 milliseconds', jsonb_build_object('id', n, 'to', 'a@example.com'), 10
     FROM generate_series(1, ${future}) AS n`,
  );
}

export const makeAdapter = () => ({ install, openProducer, openWorker, openInspector, fill });

/** Duework as a user constructs it: history, fences, leases in a thread of their own and all chores on. */
import { defineCatalog, defineJob, type FlowOptions, type JobContract } from '@duework/contracts';
import { connectPg, connectPrisma, parseDatabaseUrl, type ConnectOptions } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import {
  createPostgresStore,
  createWorker,
  enqueue,
  enqueueMany,
  jobRequest,
  heartbeatInThread,
  openQueue,
  type EmitEvent,
  type HandlerLog,
} from '@duework/queue-core';
import { createTicker } from '@duework/schedules';
import { z } from 'zod';
import { openPlainPrisma } from './open-plain-prisma.js';
import { isDrainedSql, openSqlInspector, queryOnce } from './query-once.js';
import {
  PACE,
  type Adapter,
  type BenchWorker,
  type BusinessProducer,
  type Lane,
  type Payload,
  type Producer,
  type RowsAround,
  type WorkerOptions,
} from './system.js';

const CONCURRENCY = 100;
const WORKER_POOL = 4;
const PRODUCER_POOL = 10;
const STOP_MS = 5_000;

const payload = z.object({ id: z.int(), to: z.string() });
const define = (type: string, flow: FlowOptions<Payload> = {}): SendMail => defineJob({ type, payload, ...flow });
type SendMail = JobContract<string, typeof payload>;
const sendMail = define('send_mail');
const sendOnce = defineJob({ type: 'send_once', payload, idempotencyKey: ({ id }) => `mail:${id}` });
/** The job for each lane. */
const LANES = {
  limited: define('send_limited', { limits: [{ by: 'to', max: 1 }] }),
  ordered: define('send_ordered', { order: 'to' }),
  paced: define('send_paced', { rate: { max: PACE, per: '1s' } }),
  shared: define('send_shared', { tenant: 'to' }),
} as const;
const contractOf = (lane: Lane | undefined): SendMail => (lane === undefined ? sendMail : LANES[lane]);
const noLog: HandlerLog = { debug() {}, info() {}, warn() {}, error() {} };

/** The client of the engine's statements: Prisma, as by default, or `pg` itself, as with ENGINE_CLIENT=pg. */
export type EngineClient = 'prisma' | 'pg';

type Connect = (options: ConnectOptions) => ReturnType<typeof connectPg> | ReturnType<typeof connectPrisma>;

const CONNECT: Readonly<Record<EngineClient, Connect>> = { prisma: connectPrisma, pg: connectPg };

/** As apps/worker connects its engine: through Prisma with statements that are named, and planned by their indexes. */
const CONNECT_ENGINE: Readonly<Record<EngineClient, Connect>> = {
  prisma: (options) => connectPrisma({ ...options, role: 'engine' }),
  pg: connectPg,
};

/** Duework through one of the engine's clients, on the worker's side and on the producer's. */
export const makeAdapter = ({ client }: { readonly client: EngineClient }): Adapter => ({
  install: async (url) => void (await migrateDatabase({ url })),
  openProducer: (url, lane) => openProducer(url, client, contractOf(lane)),
  openBusinessProducer,
  openWorker: (url, options) => openWorker(url, options, CONNECT_ENGINE[client]),
  openInspector: (url) => openSqlInspector(url, isDrainedSql('duework.job_runs')),
  fill,
});

async function openBusinessProducer(): Promise<BusinessProducer> {
  return {
    enqueueIn: (tx, payload, { isKeyed }) => enqueue(tx, isKeyed ? sendOnce : sendMail, payload),
    close: async () => {},
  };
}

async function openProducer(url: string, client: EngineClient, contract: SendMail): Promise<Producer> {
  const db = CONNECT[client]({ url, poolSize: PRODUCER_POOL, applicationName: 'bench-producer' });
  const plain = client === 'prisma' ? openPlainPrisma(url) : db;
  const queue = openQueue(db);
  await Promise.all([db.$connect(), plain.$connect()]);
  return {
    enqueue: (payload) => queue.enqueue(contract, payload),
    enqueuePlainly: (payload) => enqueue(plain, contract, payload),
    enqueueMany(payloads, { dueAt } = {}) {
      const options = dueAt === undefined ? {} : { runAt: dueAt };
      const requests = payloads.map((payload) => jobRequest(contract, payload, options));
      return enqueueMany(db, requests);
    },
    close: () => Promise.all([db.$disconnect(), plain.$disconnect()]),
  };
}

async function openWorker(
  url: string,
  { handle, concurrency = CONCURRENCY, lane }: WorkerOptions,
  connect: Connect,
): Promise<BenchWorker> {
  const db = connect({ url, poolSize: WORKER_POOL, applicationName: 'bench-worker' });
  await db.$connect();
  const contract = contractOf(lane);
  const catalog = defineCatalog([contract]);
  const name = `bench-${process.pid}`;
  const emit: EmitEvent = (event) => {
    if (event.name === 'database.failed') process.emitWarning(String(event.error));
  };
  // the worker is complete, leases and listener included; only its first claim waits until the others are ready
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const worker = createWorker({
    name,
    store: createPostgresStore({ db }),
    leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
    catalog,
    handlers: { [contract.type]: ({ payload }: { readonly payload: Payload }) => handle(payload) },
    emit,
    ticker: createTicker({ db, catalog, worker: name, emit }),
    logOf: () => noLog,
    concurrency,
    brake: { whenOff: () => opened },
  });
  await worker.start();
  return {
    start: open,
    async stop() {
      open();
      await worker.stop({ deadlineMs: STOP_MS });
      await db.$disconnect();
    },
  };
}

/** Jobs with an id below 0 are never drained. */
async function fill(url: string, { finished, future }: RowsAround): Promise<void> {
  await queryOnce(
    url,
    `SELECT duework.ensure_partitions(7)`,
    `INSERT INTO duework.job_history
       (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker,
        claimed_at, created_at, finished_at)
     SELECT duework.next_run_id(), 'default', 'send_mail', 1, 'succeeded', 5, now(),
       jsonb_build_object('id', n, 'to', 'a@example.com'), 1, 10, 1, 'bench', now(), now(), now()
     FROM generate_series(1, ${finished}) AS n`,
    `INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
     SELECT -n, 'default', 'send_mail', 1, 5, now() + interval '1 day' + n * interval '10 milliseconds',
       jsonb_build_object('id', n, 'to', 'a@example.com'), 10
     FROM generate_series(1, ${future}) AS n`,
  );
}

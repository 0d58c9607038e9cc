/** pg-boss with batches, several fetches at once and wake-ups, all of which are off by default. */
import { type ConstructorOptions, fromPrisma, PgBoss } from 'pg-boss';
import { openSqlInspector, queryOnce } from './query-once.js';
import type { Adapter, BusinessProducer, Lane, Payload, Producer, RowsAround } from './system.js';

const QUEUE = 'send_mail';
/** With a policy under which there is one job for each key. */
const KEYED_QUEUE = 'send_once';
const BATCH = 500;
const FETCHES_AT_ONCE = 4;
const PRODUCER_POOL = 20;
const STOP_MS = 5_000;

const IS_DRAINED = `
  SELECT NOT EXISTS (
    SELECT FROM pgboss.job WHERE name = '${QUEUE}' AND state < 'completed' AND start_after <= now()
  ) AS is_drained`;

/** pg-boss's functions. */
export const makeAdapter = (): Adapter => ({
  install,
  openProducer,
  openBusinessProducer,
  openWorker,
  openInspector: (url) => openSqlInspector(url, IS_DRAINED),
  fill,
});

function openBoss(connectionString: string, options: ConstructorOptions): PgBoss {
  const boss = new PgBoss({ connectionString, schedule: false, ...options });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  return boss;
}

async function install(url: string): Promise<void> {
  const boss = openBoss(url, { supervise: false });
  await boss.start();
  await boss.createQueue(QUEUE, { notify: true });
  await boss.createQueue(KEYED_QUEUE, { notify: true, policy: 'exclusive' });
  await boss.stop({ graceful: false });
}

/** In a lane the jobs of a key are a group. */
async function openProducer(url: string, lane?: Lane): Promise<Producer> {
  const boss = openBoss(url, { max: PRODUCER_POOL, supervise: false });
  await boss.start();
  return {
    enqueue: (data) => boss.send(QUEUE, data),
    enqueueMany: (payloads, { dueAt } = {}) =>
      boss.insert(
        QUEUE,
        payloads.map((data) => ({
          data,
          ...(dueAt !== undefined && { startAfter: dueAt }),
          ...(lane !== undefined && { group: { id: data.to } }),
        })),
      ),
    close: () => boss.stop({ graceful: false }),
  };
}

async function openBusinessProducer(url: string): Promise<BusinessProducer> {
  const boss = openBoss(url, { supervise: false });
  await boss.start();
  return {
    enqueueIn: (tx, payload, { isKeyed }) =>
      isKeyed
        ? boss.send(KEYED_QUEUE, payload, { db: fromPrisma(tx), singletonKey: `mail:${payload.id}` })
        : boss.send(QUEUE, payload, { db: fromPrisma(tx) }),
    close: () => boss.stop({ graceful: false }),
  };
}

const openWorker: Adapter['openWorker'] = async (url, { handle, concurrency, lane }) => {
  const boss = openBoss(url, { useListenNotify: true });
  await boss.start();
  // two batches run as many handlers at once as requested; more and smaller ones are slower
  const [batchSize, localConcurrency] = concurrency === undefined ? [BATCH, FETCHES_AT_ONCE] : [concurrency / 2, 2];
  const options = {
    batchSize,
    localConcurrency,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
    notifyPollingIntervalSeconds: 0.5,
    ...(lane !== undefined && { groupConcurrency: 1 }),
  };
  return {
    start: () =>
      boss.work<Payload>(QUEUE, options, async (jobs) => {
        const waiting: Promise<void>[] = [];
        for (const { data } of jobs) {
          const result = handle(data);
          if (result !== undefined) waiting.push(result);
        }
        if (waiting.length > 0) await Promise.all(waiting);
      }),
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
};

async function fill(url: string, { finished, future }: RowsAround): Promise<void> {
  await queryOnce(
    url,
    `INSERT INTO pgboss.job (name, policy, data, state, start_after, started_on, completed_on, keep_until)
     SELECT '${QUEUE}', 'standard', jsonb_build_object('id', n, 'to', 'a@example.com'), 'completed', now(), now(), now(),
       now() + interval '14 days'
     FROM generate_series(1, ${finished}) AS n`,
    `INSERT INTO pgboss.job (name, policy, data, start_after, keep_until)
     SELECT '${QUEUE}', 'standard', jsonb_build_object('id', n, 'to', 'a@example.com'),
       now() + interval '1 day' + n * interval '10 milliseconds', now() + interval '15 days'
     FROM generate_series(1, ${future}) AS n`,
  );
}

/** pg-boss with batches, several fetches at once and wake-ups, all of which it has switched off unless told. */
import { importRival } from '../rivals/import-rival.mjs';
import { openSqlInspector, queryOnce } from './query-once.mjs';

const QUEUE = 'send_mail';
const BATCH = 500;
const FETCHES_AT_ONCE = 4;
const PRODUCER_POOL = 20;

const { PgBoss } = await importRival('pg-boss');

function openBoss(connectionString, options) {
  const boss = new PgBoss({ connectionString, schedule: false, ...options });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  return boss;
}

async function install(url) {
  const boss = openBoss(url, { supervise: false });
  await boss.start();
  await boss.createQueue(QUEUE, { notify: true });
  await boss.stop({ graceful: false });
}

async function openProducer(url) {
  const boss = openBoss(url, { max: PRODUCER_POOL, supervise: false });
  await boss.start();
  return {
    enqueue: (data) => boss.send(QUEUE, data),
    enqueueMany: (payloads, { dueAt } = {}) =>
      boss.insert(
        QUEUE,
        payloads.map((data) => (dueAt === undefined ? { data } : { data, startAfter: dueAt })),
      ),
    close: () => boss.stop({ graceful: false }),
  };
}

async function openWorker(url, { handle, concurrency }) {
  const boss = openBoss(url, { useListenNotify: true });
  await boss.start();
  // two batches have as many handlers at once as asked for; more and smaller ones are slower
  const [batchSize, localConcurrency] = concurrency === undefined ? [BATCH, FETCHES_AT_ONCE] : [concurrency / 2, 2];
  return {
    start: () =>
      boss.work(
        QUEUE,
        {
          batchSize,
          localConcurrency,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 0.5,
        },
        async (jobs) => {
          const waiting = [];
          for (const { data } of jobs) {
            const result = handle(data);
            if (result !== undefined) waiting.push(result);
          }
          if (waiting.length > 0) await Promise.all(waiting);
        },
      ),
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}

const openInspector = (url) =>
  openSqlInspector(
    url,
    `
  SELECT NOT EXISTS (SELECT FROM pgboss.job WHERE name = '${QUEUE}' AND state < 'completed' AND start_after <= now()) AS is_drained`,
  );

const fill = (url, { finished, future }) =>
  queryOnce(
    url,
    `
  INSERT INTO pgboss.job (name, policy, data, state, start_after, started_on, completed_on, keep_until)
  SELECT '${QUEUE}', 'standard', jsonb_build_object('id', n, 'to', 'a@example.com'), 'completed', now(), now(), now(), now() + interval '14 days'
  FROM generate_series(1, ${finished}) AS n`,
    `
  INSERT INTO pgboss.job (name, policy, data, start_after, keep_until)
  SELECT '${QUEUE}', 'standard', jsonb_build_object('id', n, 'to', 'a@example.com'), now() + interval '1 day' + n * interval '10 milliseconds', now() + interval '15 days'
  FROM generate_series(1, ${future}) AS n`,
  );

export const makeAdapter = () => ({ install, openProducer, openWorker, openInspector, fill });

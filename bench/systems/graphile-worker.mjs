/** graphile-worker; its fast preset is the one of its own performance page. */
import { importRival } from '../rivals/import-rival.mjs';
import { isDrainedSql, openPool, openSqlInspector, queryOnce } from './query-once.mjs';

const FAST = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};
const PRODUCER_POOL = 20;

const { Logger, makeWorkerUtils, run, runMigrations } = await importRival('graphile-worker');
// its own logger writes a line for each job
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`graphile-worker: ${message}\n`);
});

async function install(connectionString) {
  await runMigrations({ connectionString, logger });
  // the first job of a task makes the task, and takes longer
  const utils = await makeWorkerUtils({ connectionString, logger });
  const job = await utils.addJob('send_mail', {});
  await utils.completeJobs([job.id]);
  await utils.release();
}

async function openProducer(connectionString) {
  const pgPool = openPool(connectionString, PRODUCER_POOL);
  const utils = await makeWorkerUtils({ pgPool, logger });
  return {
    enqueue: (payload) => utils.addJob('send_mail', payload),
    enqueueMany: (payloads, { dueAt } = {}) =>
      utils.addJobs(payloads.map((payload) => ({ identifier: 'send_mail', payload, runAt: dueAt }))),
    async close() {
      await utils.release();
      await pgPool.end();
    },
  };
}

async function openWorker(connectionString, { handle, concurrency }, isFast) {
  const pgPool = openPool(connectionString, isFast ? FAST.maxPoolSize : 10);
  await pgPool.query('SELECT 1');
  const concurrent = concurrency === undefined ? {} : { concurrentJobs: concurrency };
  const preset = { worker: isFast ? { ...FAST, ...concurrent } : {} };
  let runner;
  return {
    async start() {
      runner = await run({
        preset,
        pgPool,
        logger,
        noHandleSignals: true,
        parsedCronItems: [],
        taskList: { send_mail: (payload) => handle(payload) },
      });
    },
    async stop() {
      await runner?.stop();
      await pgPool.end();
    },
  };
}

const openInspector = (url) => openSqlInspector(url, isDrainedSql('graphile_worker._private_jobs'));

/** It keeps no finished rows. What is below 0 is never drained. */
async function fill(url, { future }) {
  await queryOnce(
    url,
    `
    INSERT INTO graphile_worker._private_jobs (id, task_id, payload, run_at) OVERRIDING SYSTEM VALUE
    SELECT -n, t.id, json_build_object('id', n, 'to', 'a@example.com'), now() + interval '1 day' + n * interval '10 milliseconds'
    FROM graphile_worker._private_tasks t, generate_series(1, ${future}) AS n
    WHERE t.identifier = 'send_mail'`,
  );
}

export const makeAdapter = ({ isFast }) => ({
  install,
  openProducer,
  openWorker: (url, options) => openWorker(url, options, isFast),
  openInspector,
  fill,
});

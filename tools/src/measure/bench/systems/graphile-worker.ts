/** graphile-worker; its fast preset is the one of its own performance page. */
import { Logger, makeWorkerUtils, run, runMigrations } from 'graphile-worker';
import { openPool } from '../../../kit/open-client.js';
import { isDrainedSql, openSqlInspector, queryOnce } from './query-once.js';
import type { Adapter, BusinessProducer, Lane, Payload, Producer, RowsAround } from './system.js';

const FAST = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};
const PRODUCER_POOL = 20;

// its own logger writes a line for each job
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`graphile-worker: ${message}\n`);
});

export const makeAdapter = (): Adapter => ({
  install,
  openProducer,
  openBusinessProducer,
  openWorker,
  openInspector: (url) => openSqlInspector(url, isDrainedSql('graphile_worker._private_jobs')),
  fill,
});

async function install(connectionString: string): Promise<void> {
  await runMigrations({ connectionString, logger });
  // the first job of a task makes the task, and takes longer
  const utils = await makeWorkerUtils({ connectionString, logger });
  const job = await utils.addJob('send_mail', {});
  await utils.completeJobs([job.id]);
  await utils.release();
}

/** In a lane the jobs of a key are in a named queue, which runs one at a time. */
async function openProducer(url: string, lane?: Lane): Promise<Producer> {
  const pgPool = openPool(url, PRODUCER_POOL);
  const utils = await makeWorkerUtils({ pgPool, logger });
  return {
    enqueue: (payload) => utils.addJob('send_mail', payload),
    enqueueMany: (payloads, { dueAt } = {}) =>
      utils.addJobs(
        payloads.map((payload) => ({
          identifier: 'send_mail',
          payload,
          ...(dueAt !== undefined && { runAt: dueAt }),
          ...(lane !== undefined && { queueName: payload.to }),
        })),
      ),
    async close() {
      await utils.release();
      await pgPool.end();
    },
  };
}

/** Its SQL function, which is its way into somebody else's transaction. */
async function openBusinessProducer(): Promise<BusinessProducer> {
  return {
    enqueueIn(tx, payload, { isKeyed }) {
      const json = JSON.stringify(payload);
      return isKeyed
        ? tx.$executeRaw`SELECT graphile_worker.add_job('send_mail', ${json}::json, job_key => ${`mail:${payload.id}`}::text)`
        : tx.$executeRaw`SELECT graphile_worker.add_job('send_mail', ${json}::json)`;
    },
    close: async () => {},
  };
}

const openWorker: Adapter['openWorker'] = async (url, { handle, concurrency = FAST.concurrentJobs }) => {
  const pgPool = openPool(url, FAST.maxPoolSize);
  await pgPool.query('SELECT 1');
  let runner: { stop(): Promise<void> } | undefined;
  return {
    async start() {
      runner = await run({
        preset: { worker: { ...FAST, concurrentJobs: concurrency } },
        pgPool,
        logger,
        noHandleSignals: true,
        parsedCronItems: [],
        taskList: { send_mail: (payload) => handle(payload as Payload) },
      });
    },
    async stop() {
      await runner?.stop();
      await pgPool.end();
    },
  };
};

/** It keeps no finished rows. Jobs with an id below 0 are never drained. */
async function fill(url: string, { future }: RowsAround): Promise<void> {
  await queryOnce(
    url,
    `INSERT INTO graphile_worker._private_jobs (id, task_id, payload, run_at) OVERRIDING SYSTEM VALUE
     SELECT -n, t.id, json_build_object('id', n, 'to', 'a@example.com'),
       now() + interval '1 day' + n * interval '10 milliseconds'
     FROM graphile_worker._private_tasks t, generate_series(1, ${future}) AS n
     WHERE t.identifier = 'send_mail'`,
  );
}

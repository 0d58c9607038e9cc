/** graphile-worker; its fast preset is the one of its own performance page. */
import type pg from 'pg';
import { openPool } from '../../../kit/open-client.js';
import { importRival } from '../rivals/import-rival.js';
import { isDrainedSql, openSqlInspector, queryOnce } from './query-once.js';
import type { Adapter, BusinessProducer, Lane, Payload, Producer, RowsAround } from './system.js';

/** What the benchmark uses of graphile-worker 0.18. */
interface GraphileWorker {
  readonly Logger: new (makeLog: () => (level: string, message: string) => void) => GraphileLogger;
  makeWorkerUtils(options: GraphileConnection): Promise<{
    addJob(task: string, payload: object): Promise<{ readonly id: string }>;
    addJobs(jobs: readonly GraphileJob[]): Promise<unknown>;
    completeJobs(ids: readonly string[]): Promise<unknown>;
    release(): Promise<void>;
  }>;
  run(options: GraphileConnection & GraphileRun): Promise<{ stop(): Promise<void> }>;
  runMigrations(options: GraphileConnection): Promise<void>;
}
interface GraphileLogger {
  error(message: string): void;
}
interface GraphileConnection {
  readonly connectionString?: string;
  readonly pgPool?: pg.Pool;
  readonly logger: GraphileLogger;
}
interface GraphileRun {
  readonly preset: { readonly worker: Partial<typeof FAST> };
  readonly noHandleSignals: true;
  readonly parsedCronItems: readonly never[];
  readonly taskList: { readonly send_mail: (payload: Payload) => Promise<void> | undefined };
}
interface GraphileJob {
  readonly identifier: string;
  readonly payload: Payload;
  readonly runAt: Date | undefined;
  readonly queueName: string | undefined;
}

const FAST = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};
const DEFAULT_POOL = 10;
const PRODUCER_POOL = 20;

const { Logger, makeWorkerUtils, run, runMigrations } = await importRival<GraphileWorker>('graphile-worker');
// its own logger writes a line for each job
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`graphile-worker: ${message}\n`);
});

/** graphile-worker with its fast preset, or with its defaults. */
export const makeAdapter = ({ isFast }: { readonly isFast: boolean }): Adapter => ({
  install,
  openProducer,
  openBusinessProducer,
  openWorker: isFast ? openFastWorker : openDefaultWorker,
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
          runAt: dueAt,
          queueName: lane === undefined ? undefined : payload.to,
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

const openFastWorker: Adapter['openWorker'] = (url, { concurrency = FAST.concurrentJobs, ...options }) =>
  openWorkerWith({ ...FAST, concurrentJobs: concurrency })(url, options);

const openDefaultWorker: Adapter['openWorker'] = (url, options) => openWorkerWith({})(url, options);

const openWorkerWith =
  (worker: Partial<typeof FAST>): Adapter['openWorker'] =>
  async (url, { handle }) => {
    const pgPool = openPool(url, worker.maxPoolSize ?? DEFAULT_POOL);
    await pgPool.query('SELECT 1');
    let runner: { stop(): Promise<void> } | undefined;
    return {
      async start() {
        runner = await run({
          preset: { worker },
          pgPool,
          logger,
          noHandleSignals: true,
          parsedCronItems: [],
          taskList: { send_mail: handle },
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

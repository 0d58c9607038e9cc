/**
 * A worker of an old program, until it is killed: `node old-worker.mjs <pg-boss|graphile-worker> <url of the database>`. It writes
 * each job that it runs into the table `witness`, and a line for each, and one when it is ready.
 */
import { PgBoss } from 'pg-boss';
import { Logger, run } from 'graphile-worker';
import { Pool } from 'pg';

const [system, url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 2, application_name: 'old' });
pool.on('error', () => {});
const witness = async ({ n }) => {
  await pool.query(`INSERT INTO witness (n, side) VALUES ($1, 'old')`, [n]);
  process.stdout.write('ran\n');
};
if (system === 'pg-boss') {
  const boss = new PgBoss({ connectionString: url, application_name: 'old', supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.work('send-mail', { batchSize: 3, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    for (const { data } of jobs) await witness(data);
  });
} else
  await run({
    connectionString: url,
    concurrency: 2,
    pollInterval: 100,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { 'send-mail': witness },
  });
process.stdout.write('ready\n');

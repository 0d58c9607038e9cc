/**
 * A worker of the old program: `old-worker.js <system> <url>`, until SIGTERM. It writes a line when it is ready, and ends when it
 * has lost what it works on.
 */
import { Worker } from 'bullmq';
import { Logger, run } from 'graphile-worker';
import { Redis } from 'ioredis';
import { PgBoss } from 'pg-boss';
import { witnessed } from './jobs.js';

const [system, url] = process.argv.slice(2) as [string, string];
const CONCURRENCY = 4;

async function start(): Promise<() => Promise<unknown>> {
  if (system === 'bullmq') {
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    connection.on('error', () => {});
    const worker = new Worker<{ n: number }>('mail', ({ data: { n } }) => witnessed(n, 'old'), {
      connection,
      concurrency: CONCURRENCY,
      stalledInterval: 2_000,
    });
    worker.on('error', () => {});
    await worker.waitUntilReady();
    return () => worker.close().then(() => connection.disconnect());
  }
  if (system === 'graphile-worker') {
    const runner = await run({
      connectionString: url,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: { 'send-mail': (payload) => witnessed((payload as { n: number }).n, 'old') },
    });
    runner.promise.catch(() => process.exit(1));
    // it says that it has stopped before its jobs have ended
    return () => Promise.all([runner.stop(), runner.promise]);
  }
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const options = { batchSize: CONCURRENCY, pollingIntervalSeconds: 0.5 };
  await boss.work<{ n: number }>('send-mail', options, async (jobs) => {
    await Promise.all(jobs.map(({ data: { n } }) => witnessed(n, 'old')));
  });
  return () => boss.stop({ graceful: true, timeout: 10_000 });
}

const stop = await start();
process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
process.stdout.write('ready\n');

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sendInvoice } from '@duework/contracts';
import { enqueue, getJob } from '@duework/queue-core';
import { createFact } from './testing/create-fact.js';
import { createOrder } from './testing/create-order.js';
import { openTestDatabase } from './testing/open-test-database.js';
import { startMailServer, type MailServer } from './testing/start-mail-server.js';
import { killWorkers, startWorkerProcess, type WorkerProcess } from './testing/start-worker-process.js';
import { until } from './testing/until.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailServer: MailServer;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  mailServer = await startMailServer();
});
afterEach(async () => {
  killWorkers();
  await mailServer.stop();
});
afterAll(() => database.close());

const startWorker = (name: string): WorkerProcess =>
  startWorkerProcess({ DATABASE_URL: database.url, SMTP_URL: mailServer.url, WORKER_NAME: name });

async function enqueueInvoice() {
  const { order } = await createOrder(database.db);
  const { id } = await enqueue(database.db, sendInvoice, { orderId: order.id });
  return { id, key: `invoice:${order.id}` };
}

/** The leases of a dead worker run out now, and its last statements, if any still wait, never commit. */
async function buryWorker(name: string): Promise<void> {
  await database.db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'duework-worker-%'`;
  await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second' WHERE locked_by = ${name}`;
}

const guardStatus = async (key: string) => (await database.db.sentEmail.findUnique({ where: { key } }))?.status;

test('a worker killed between the send and the settle sends no second mail', async () => {
  const { id, key } = await enqueueInvoice();
  const held = mailServer.hold('reply');
  const first = startWorker('first');
  await held.reached;
  first.signal('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  expect(await guardStatus(key)).toBe('sending');

  await buryWorker('first');
  const second = startWorker('second');
  expect(await second.line('job.dead', { id })).toMatchObject({ errorCode: 'mail_unconfirmed', attempt: 2 });
  expect(mailServer.mails).toHaveLength(1);
  expect(await guardStatus(key)).toBe('unconfirmed');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'mail_unconfirmed', lastError: expect.stringContaining('Message-ID <invoice-') });
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
});

test('a worker killed after it heard that the mail was taken leaves it to the next one to complete the job', async () => {
  const { db } = database;
  const { id, key } = await enqueueInvoice();
  const held = mailServer.hold('reply');
  const first = startWorker('first');
  await held.reached;
  // the run's row is locked, so that its settlement waits
  const locked = createFact();
  const killed = createFact();
  const lock = db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE`;
    locked.happen();
    await killed.happened;
  }, { timeout: 60_000 });
  await locked.happened;
  held.release();
  await until(async () => (await guardStatus(key)) === 'sent');
  first.signal('SIGKILL');
  await first.ended;
  await db.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'duework-worker-%'`;
  killed.happen();
  await lock;

  await buryWorker('first');
  const second = startWorker('second');
  expect(await second.line('job.succeeded', { id })).toMatchObject({ attempt: 2 });
  expect(mailServer.mails).toHaveLength(1);
  expect((await getJob(db, id)).job).toMatchObject({ status: 'succeeded', result: { isDuplicate: true } });
});

test('kill -9 in mid-job: the job finishes on another worker within lease + 5 s, with one mail', async () => {
  const { id } = await enqueueInvoice();
  const held = mailServer.hold('greeting');
  const first = startWorker('first');
  await held.reached;
  const second = startWorker('second');
  await second.line('worker.started');
  first.signal('SIGKILL');
  const killedMs = performance.now();
  await first.ended;

  expect(await second.line('job.succeeded', { id })).toMatchObject({ attempt: 2 });
  expect(performance.now() - killedMs).toBeLessThan(sendInvoice.leaseMs + 5_000);
  expect(await second.line('run.rescued', { id })).toMatchObject({ lostWorker: 'first' });
  expect(mailServer.mails).toHaveLength(1);
});

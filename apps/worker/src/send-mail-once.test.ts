import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sendInvoice } from '@duework/contracts';
import { connectPrisma } from '@duework/database';
import { enqueue, retryJob } from '@duework/queue-core';
import { pino } from 'pino';
import { createMailSender } from './send-mail-once.js';
import { createOrder } from './testing/create-order.js';
import { openTestDatabase } from './testing/open-test-database.js';
import { startMailServer, type MailServer } from './testing/start-mail-server.js';
import { startTestWorker, type TestWorker } from './testing/start-test-worker.js';
import { until } from './testing/until.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailServer: MailServer;
let worker: TestWorker;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  mailServer = await startMailServer();
  worker = await startTestWorker({ ...database, smtpUrl: mailServer.url });
});
afterEach(async () => {
  await worker.stop();
  await mailServer.stop();
});

async function startInvoice() {
  const { order } = await createOrder(database.db);
  const job = await enqueue(database.db, sendInvoice, { orderId: order.id });
  return { id: job.id, key: `invoice:${order.id}`, messageId: `<invoice-${order.id}@duework.local>` };
}

const findGuard = (key: string) => database.db.sentEmail.findUnique({ where: { key } });

/** Runs what waits for its retry now. */
async function makeDue(id: string): Promise<void> {
  await database.db.jobRun.update({ where: { id: BigInt(id) }, data: { runAt: new Date(0) } });
}

test('a refusal for good ends the job with its code, and leaves no row behind', async () => {
  for (const stage of ['greeting', 'recipient', 'reply'] as const) {
    mailServer.refuse(stage, 550);
    const { id, key } = await startInvoice();
    expect(await worker.end(id)).toMatchObject({ name: 'job.dead', error: { code: 'smtp_550' } });
    expect(await findGuard(key)).toBeNull();
  }
  expect(mailServer.mails).toHaveLength(0);
});

test('a refusal for now is tried again, and then the mail goes out', async () => {
  for (const stage of ['greeting', 'recipient', 'reply'] as const) {
    mailServer.refuse(stage, 451);
    const { id, key } = await startInvoice();
    expect(await worker.event(id, 'job.failed')).toMatchObject({ error: { code: 'smtp_451' } });
    expect(await findGuard(key)).toBeNull();
    await makeDue(id);
    expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
    expect(await findGuard(key)).toMatchObject({ status: 'sent' });
  }
  expect(mailServer.mails).toHaveLength(3);
});

test('a mail server that is away is tried again', async () => {
  const away = await startTestWorker({ ...database, smtpUrl: 'smtp://127.0.0.1:1' });
  await worker.stop();
  const { id, key } = await startInvoice();
  expect(await away.event(id, 'job.failed')).toMatchObject({ error: { code: 'ECONNREFUSED', type: 'SmtpError' } });
  expect(await findGuard(key)).toBeNull();
  await away.stop();
});

test('a connection that breaks before the content sends nothing, so the mail is tried again', async () => {
  for (const stage of ['greeting', 'recipient'] as const) {
    const held = mailServer.hold(stage);
    const { id, key } = await startInvoice();
    await held.reached;
    mailServer.cut();
    await worker.event(id, 'job.failed');
    expect(await findGuard(key)).toBeNull();
    held.release();
    await makeDue(id);
    expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  }
  expect(mailServer.mails).toHaveLength(2);
});

test("an operator's retry of an unconfirmed mail sends it with the same Message-ID", async () => {
  const held = mailServer.hold('reply');
  const { id, key, messageId } = await startInvoice();
  await held.reached;
  mailServer.cut();
  expect(await worker.end(id)).toMatchObject({ name: 'job.dead', error: { code: 'mail_unconfirmed', message: expect.stringContaining(messageId) } });
  expect(await findGuard(key)).toMatchObject({ status: 'unconfirmed', messageId });
  held.release();

  // it fails once more before the content: the operator's word still holds for the next try
  mailServer.refuse('recipient', 450);
  await retryJob(database.db, id);
  expect(await worker.event(id, 'job.failed')).toMatchObject({ error: { code: 'smtp_450' } });
  expect(await findGuard(key)).toMatchObject({ status: 'unconfirmed' });
  await makeDue(id);
  await worker.event(id, 'job.succeeded');
  expect(mailServer.mails.map((mail) => mail.messageId)).toEqual([messageId, messageId]);
  expect(await findGuard(key)).toMatchObject({ status: 'sent', messageId });
});

test('a second retry is needed when the first one is cut off, too', async () => {
  let held = mailServer.hold('reply');
  const { id, key } = await startInvoice();
  await held.reached;
  mailServer.cut();
  await worker.end(id);
  held.release();
  const { fence } = (await findGuard(key))!;

  held = mailServer.hold('reply');
  await retryJob(database.db, id);
  await held.reached;
  const guard = (await findGuard(key))!;
  expect(guard).toMatchObject({ status: 'sending' });
  expect(guard.fence).toBeGreaterThan(fence);
  // as if the worker had died after it marked the row, and before the run was dead
  await database.db.sentEmail.update({ where: { key }, data: { status: 'unconfirmed' } });
  await database.db.$executeRaw`UPDATE duework.job_runs SET status = 'queued', attempts = 0, locked_by = NULL, locked_until = NULL WHERE id = ${id}::bigint`;
  await database.db.jobAttempt.findFirstOrThrow({ where: { runId: BigInt(id), errorCode: 'mail_unconfirmed', fence } });
  await until(async () => (await database.db.jobAttempt.count({ where: { runId: BigInt(id), errorCode: 'mail_unconfirmed' } })) === 2);
  expect(mailServer.mails).toHaveLength(2);
});

test('a database that is away when the mail is taken does not make it go out twice', async () => {
  const server = new URL(database.url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const admin = connectPrisma({ url: server.toString() });
  const held = mailServer.hold('reply');
  const { id, key } = await startInvoice();
  await held.reached;
  await admin.$executeRaw`UPDATE pg_database SET datallowconn = false WHERE datname = ${name}`;
  await admin.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
  held.release();
  await until(async () => worker.events.some((event) => event.name === 'database.failed'));
  await admin.$executeRaw`UPDATE pg_database SET datallowconn = true WHERE datname = ${name}`;
  await admin.$disconnect();
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(await findGuard(key)).toMatchObject({ status: 'sent' });
  expect(mailServer.mails).toHaveLength(1);
});

test('a mail whose answer comes after another attempt has doubted it is on record as sent', async () => {
  const { db } = database;
  const sendMailOnce = createMailSender({ db, smtpUrl: mailServer.url, from: 'shop@example.com' });
  const log = pino({ level: 'silent' });
  const send = (fence: number) =>
    sendMailOnce({ run: { id: '77' }, fence, signal: new AbortController().signal, log }, {
      key: 'late:1',
      mailTo: 'ada@example.com',
      compose: async () => ({ to: { name: 'Ada', address: 'ada@example.com' }, subject: 'Late', text: 'late', html: '<p>late</p>' }),
    });
  const held = mailServer.hold('reply');
  const slow = send(1);
  await held.reached;
  expect(await send(2)).toMatchObject({ kind: 'bury', code: 'mail_unconfirmed' });
  expect(await findGuard('late:1')).toMatchObject({ status: 'unconfirmed' });
  held.release();
  expect(await slow).toMatchObject({ kind: 'complete', result: { messageId: '<late-1@duework.local>' } });
  expect(await findGuard('late:1')).toMatchObject({ status: 'sent', fence: 1n });
  expect(await send(3)).toMatchObject({ kind: 'complete', result: { isDuplicate: true } });
  expect(mailServer.mails).toHaveLength(1);
});

test('a second job for the same mail does not send it while the first one is sending', async () => {
  const held = mailServer.hold('reply');
  const { id, key } = await startInvoice();
  await held.reached;
  const twin = await enqueue(database.db, sendInvoice, { orderId: Number(key.split(':')[1]) }, { idempotencyKey: null });
  expect(await worker.end(twin.id)).toMatchObject({ name: 'job.dead', error: { code: 'mail_unconfirmed' } });
  held.release();
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(await findGuard(key)).toMatchObject({ status: 'sent', runId: BigInt(id) });
  expect(mailServer.mails).toHaveLength(1);
});

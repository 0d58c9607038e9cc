import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sendInvoice } from '@duework/shop';
import { connectPrisma } from '@duework/database';
import { enqueue, getJob, retryJob } from '@duework/queue-core';
import { createFact, until } from '@duework/worker/testing';
import { createOrder } from './testing/create-order.js';
import { findMailEffect } from './testing/find-mail-effect.js';
import { forgetKey } from './testing/forget-key.js';
import { openTestDatabase } from './testing/open-test-database.js';
import { startMailServer, type MailServer } from './testing/start-mail-server.js';
import { startTestWorker, type TestWorker } from './testing/start-test-worker.js';

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
  // the next test must not run what waits for a retry
  await database.db.jobRun.deleteMany();
});

async function startInvoice() {
  const { order } = await createOrder(database.db);
  const job = await enqueue(database.db, sendInvoice, { orderId: order.id });
  return { id: job.id, key: `invoice:${order.id}`, messageId: `<invoice-${order.id}@duework.local>` };
}

const findEffect = (key: string) => findMailEffect(database.db, key);
/** It was not begun, or each try of it certainly came to nothing. */
const didNothing = async (key: string): Promise<boolean> => ((await findEffect(key))?.status ?? 'undone') === 'undone';

/** Makes every run that waits for its retry due now. */
async function makeDue(id: string): Promise<void> {
  await database.db.jobRun.update({ where: { id: BigInt(id) }, data: { runAt: new Date(0) } });
}

test('a permanent refusal ends the job with its code, and its effect is known not to have happened', async () => {
  for (const stage of ['greeting', 'recipient', 'reply'] as const) {
    mailServer.refuse(stage, 550);
    const { id, key } = await startInvoice();
    expect(await worker.end(id)).toMatchObject({ name: 'job.dead', error: { code: 'smtp_550' } });
    expect(await didNothing(key)).toBe(true);
  }
  expect(mailServer.mails).toHaveLength(0);
});

test('after a temporary refusal the mail is tried again and sent', async () => {
  for (const stage of ['greeting', 'recipient', 'reply'] as const) {
    mailServer.refuse(stage, 451);
    const { id, key } = await startInvoice();
    expect(await worker.event(id, 'job.failed')).toMatchObject({ error: { code: 'smtp_451' } });
    expect(await didNothing(key)).toBe(true);
    await makeDue(id);
    expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
    expect(await findEffect(key)).toMatchObject({ status: 'done' });
  }
  expect(mailServer.mails).toHaveLength(3);
});

test('a mail is tried again when the mail server is away', async () => {
  const away = await startTestWorker({ ...database, smtpUrl: 'smtp://127.0.0.1:1' });
  await worker.stop();
  const { id, key } = await startInvoice();
  expect(await away.event(id, 'job.failed')).toMatchObject({ error: { code: 'ECONNREFUSED', type: 'SmtpError' } });
  expect(await didNothing(key)).toBe(true);
  await away.stop();
});

test('a connection that breaks before the content sends nothing, so the mail is tried again', async () => {
  for (const stage of ['greeting', 'recipient'] as const) {
    const held = mailServer.hold(stage);
    const { id, key } = await startInvoice();
    await held.reached;
    mailServer.cut();
    await worker.event(id, 'job.failed');
    expect(await didNothing(key)).toBe(true);
    held.release();
    await makeDue(id);
    expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  }
  expect(mailServer.mails).toHaveLength(2);
});

test('a connection that breaks while the row is being written sends nothing, and no person has to decide', async () => {
  const { db } = database;
  const held = mailServer.hold('recipient');
  const { id, key } = await startInvoice();
  await held.reached;
  // the row of the effect is written under the lock on the run's row, which another session holds
  const cut = createFact();
  const lock = db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE`;
      held.release();
      await cut.happened;
    },
    { timeout: 60_000 },
  );
  await until(async () => (await countWaiting()) > 0);
  await mailServer.hangUp();
  cut.happen();
  await lock;
  await worker.event(id, 'job.failed');
  expect(await didNothing(key)).toBe(true);
  await makeDue(id);
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(mailServer.mails).toHaveLength(1);
});

async function countWaiting(): Promise<number> {
  const [row] = await database.db.$queryRaw<[{ waiting: number }]>`
    SELECT count(*)::integer AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO duework.job_effects%'`;
  return row.waiting;
}

/** A mail that the server took without confirming it. */
async function startUnknown() {
  const held = mailServer.hold('reply');
  const invoice = await startInvoice();
  await held.reached;
  mailServer.cut();
  expect(await worker.end(invoice.id)).toMatchObject({
    name: 'job.dead',
    error: { code: 'effect_unknown', message: expect.stringContaining(invoice.messageId) },
  });
  held.release();
  expect(await findEffect(invoice.key)).toMatchObject({ status: 'unknown' });
  return invoice;
}

test("an operator's retry of an unconfirmed mail sends it with the same Message-ID", async () => {
  const { id, key, messageId } = await startUnknown();
  // the retry fails before the content: the operator's decision still holds for the next one
  mailServer.refuse('recipient', 450);
  await retryJob(database.db, id);
  expect(await worker.event(id, 'job.failed')).toMatchObject({ error: { code: 'smtp_450' } });
  expect(await findEffect(key)).toMatchObject({ status: 'approved' });
  await makeDue(id);
  await worker.event(id, 'job.succeeded');
  expect(mailServer.mails.map((mail) => mail.messageId)).toEqual([messageId, messageId]);
  expect(await findEffect(key)).toMatchObject({ status: 'done' });
});

test('when an operator says that the mail was sent, the job succeeds without sending it', async () => {
  const { id, messageId } = await startUnknown();
  await retryJob(database.db, id, { effectsHappened: true });
  await worker.event(id, 'job.succeeded');
  expect(mailServer.mails).toHaveLength(1);
  expect((await getJob(database.db, id)).job.result).toEqual({ messageId, reply: 'An operator found this mail.' });
});

test('when an operator’s retry is cut off as well, a second one is needed', async () => {
  const { id, key } = await startUnknown();
  const { fence } = (await findEffect(key))!;
  const held = mailServer.hold('reply');
  await retryJob(database.db, id);
  await held.reached;
  const effect = (await findEffect(key))!;
  expect(effect).toMatchObject({ status: 'started' });
  expect(effect.fence).toBeGreaterThan(fence);
  // as if the worker had died after it marked the row, and before the run was dead
  await database.db.jobEffect.updateMany({ where: { runKey: key }, data: { status: 'unknown' } });
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET status = 'queued', attempts = 0, locked_by = NULL, locked_until = NULL WHERE id = ${id}::bigint`;
  await until(
    async () =>
      (await database.db.jobAttempt.count({ where: { runId: BigInt(id), errorCode: 'effect_unknown' } })) === 2,
  );
  expect(mailServer.mails).toHaveLength(2);
});

test('when the database is away while the server takes the mail, the mail is not sent twice', async () => {
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
  expect(await findEffect(key)).toMatchObject({ status: 'done' });
  expect(mailServer.mails).toHaveLength(1);
});

test('a second job for the same mail sends nothing while the first one is sending', async () => {
  const held = mailServer.hold('reply');
  const { id, key } = await startInvoice();
  await held.reached;
  await forgetKey(database.db, key);
  const twin = await enqueue(database.db, sendInvoice, { orderId: Number(key.split(':')[1]) });
  expect(await worker.end(twin.id)).toMatchObject({ name: 'job.dead', error: { code: 'effect_unknown' } });
  held.release();
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(mailServer.mails).toHaveLength(1);
});

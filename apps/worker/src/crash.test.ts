import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { handleOrder, orderPaid, sendInvoice } from '@duework/shop';
import { enqueue, getJob, retryJob, signal } from '@duework/queue-core';
import { createFact, killWorkers, until, type WorkerProcess } from '@duework/worker/testing';
import { createOrder } from './shop/testing/create-order.js';
import { findMailEffect } from './shop/testing/find-mail-effect.js';
import { openTestDatabase } from './shop/testing/open-test-database.js';
import { startMailServer, type MailServer } from './shop/testing/start-mail-server.js';
import { startShopWorker } from './testing/start-shop-worker.js';

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
  // a claim that a killed worker had sent could still take the next test's run
  await until(async () => (await cutWorkers()) === 0);
  // the next test must not rescue what the killed worker held
  await database.db.jobRun.deleteMany();
});
afterAll(() => database.close());

async function enqueueInvoice() {
  const { order } = await createOrder(database.db);
  const { id } = await enqueue(database.db, sendInvoice, { orderId: order.id });
  return { id, key: `invoice:${order.id}` };
}

/**
 * Cuts every connection of a worker, so that a last statement that still waits never commits. Returns how many there
 * were.
 */
async function cutWorkers(): Promise<number> {
  return database.db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND (application_name LIKE 'duework-worker-%' OR application_name IN ('duework leases', 'duework wake-ups'))`;
}

/** How many connections of handlers wait for a row that another has locked. */
async function countWaiting(): Promise<number> {
  const [row] = await database.db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'duework-worker-handlers' AND wait_event_type = 'Lock'`;
  return row.count;
}

/** Ends the leases of a dead worker now. */
async function buryWorker(name: string): Promise<void> {
  await cutWorkers();
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second' WHERE starts_with(locked_by, ${`${name}-`})`;
}

const effectStatus = async (key: string) => (await findMailEffect(database.db, key))?.status;

describe.each(['prisma', 'pg'])('a worker whose statements go through %s', (ENGINE_CLIENT) => {
  const startWorker = (name: string): WorkerProcess =>
    startShopWorker({ DATABASE_URL: database.url, SMTP_URL: mailServer.url, WORKER_NAME: name, ENGINE_CLIENT });

  test('a worker killed between the send and the settle sends no second mail', async () => {
    const { id, key } = await enqueueInvoice();
    const held = mailServer.hold('reply');
    const first = startWorker('first');
    await held.reached;
    first.signal('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    expect(await effectStatus(key)).toBe('started');

    await buryWorker('first');
    const second = startWorker('second');
    expect(await second.line('job.dead', { id })).toMatchObject({ errorCode: 'effect_unknown', attempt: 2 });
    expect(mailServer.mails).toHaveLength(1);
    expect(await effectStatus(key)).toBe('unknown');
    expect((await getJob(database.db, id)).job).toMatchObject({
      status: 'dead',
      errorCode: 'effect_unknown',
      lastError: expect.stringContaining('Message-ID <invoice-'),
    });
    second.signal('SIGTERM');
    expect(await second.ended).toBe(0);
  });

  test('a worker that freezes while it hands over a mail, and loses its run meanwhile, sends no second mail', async () => {
    const { id, key } = await enqueueInvoice();
    const held = mailServer.hold('reply');
    const first = startWorker('first');
    await held.reached;
    first.signal('SIGSTOP');
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second' WHERE starts_with(locked_by, 'first-')`;
    const second = startWorker('second');
    expect(await second.line('job.dead', { id })).toMatchObject({ errorCode: 'effect_unknown', attempt: 2 });
    // the mail server's answer comes after another attempt has left the question open
    held.release();
    first.signal('SIGCONT');
    await first.line('lease.lost', { id });
    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(mailServer.mails).toHaveLength(1);
    // an answer that arrives before the worker learns of its lost lease closes the question; any later one leaves it
    // open
    expect(['done', 'unknown']).toContain(await effectStatus(key));
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'effect_unknown' });
    // a person who says that the mail was sent is believed
    await retryJob(database.db, id, { effectsHappened: true });
    await second.line('job.succeeded', { id });
    expect(await effectStatus(key)).toBe('done');
    expect(mailServer.mails).toHaveLength(1);
  });

  test('when a worker is killed after the mail server has taken the mail, the next worker completes the job without sending', async () => {
    const { db } = database;
    const { id, key } = await enqueueInvoice();
    const held = mailServer.hold('reply');
    const first = startWorker('first');
    await held.reached;
    // the run's row is locked, so that its settlement waits
    const locked = createFact();
    const killed = createFact();
    const lock = db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE`;
        locked.happen();
        await killed.happened;
      },
      { timeout: 60_000 },
    );
    await locked.happened;
    held.release();
    await until(async () => (await effectStatus(key)) === 'done');
    first.signal('SIGKILL');
    await first.ended;
    await cutWorkers();
    killed.happen();
    await lock;

    await buryWorker('first');
    const second = startWorker('second');
    expect(await second.line('job.succeeded', { id })).toMatchObject({ attempt: 2 });
    expect(mailServer.mails).toHaveLength(1);
    expect((await getJob(db, id)).job).toMatchObject({
      status: 'succeeded',
      result: { messageId: expect.stringContaining('<invoice-'), reply: expect.stringMatching(/^250 /) },
    });
  });

  test('after kill -9 in mid-job the job starts again on another worker long before its lease ends, with one mail', async () => {
    const workers = { one: startWorker('one'), other: startWorker('other') };
    await Promise.all(Object.values(workers).map((worker) => worker.line('worker.started')));
    const held = mailServer.hold('greeting');
    const { id } = await enqueueInvoice();
    await held.reached;
    const { worker: lost } = (await getJob(database.db, id)).job;
    const [first, second] = lost?.startsWith('one-') ? [workers.one, workers.other] : [workers.other, workers.one];
    // a lease that only the end of its worker can cut short
    first.signal('SIGSTOP');
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET locked_until = now() + interval '1 day' WHERE locked_by = ${lost}`;
    first.signal('SIGKILL');
    await first.ended;

    expect(await second.line('job.succeeded', { id })).toMatchObject({ attempt: 2 });
    expect(await second.line('run.rescued', { id })).toMatchObject({ lostWorker: lost });
    expect(mailServer.mails).toHaveLength(1);
  });
});

test('an order whose workers are killed, while it is reserved and while it is invoiced, is seen through with each thing once', async () => {
  const { db } = database;
  const start = (name: string): WorkerProcess =>
    startShopWorker({ DATABASE_URL: database.url, SMTP_URL: mailServer.url, WORKER_NAME: name });
  const kill = async (worker: WorkerProcess, name: string): Promise<void> => {
    worker.signal('SIGKILL');
    await worker.ended;
    await buryWorker(name);
  };
  await db.stock.create({ data: { article: 'Item 1', quantity: 5 } });
  const { order } = await createOrder(db, { isPaid: false, lines: 1 });
  const { id } = await enqueue(db, handleOrder, { orderId: order.id, reviewAfter: '1s' });

  // the reservation waits for the order's row, and is never committed
  await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM shop.orders WHERE id = ${order.id} FOR UPDATE`;
      const first = start('first');
      await until(async () => (await countWaiting()) === 1);
      await kill(first, 'first');
    },
    { timeout: 60_000 },
  );
  const held = mailServer.hold('greeting');
  const second = start('second');
  await until(async () => (await db.jobStep.count({ where: { status: 'waiting', awaits: 'signal' } })) === 1);
  await db.$transaction(async (tx) => {
    await tx.order.update({ where: { id: order.id }, data: { status: 'PAID', paidAt: new Date() } });
    await signal(tx, orderPaid, { orderId: order.id });
  });
  await held.reached;
  await kill(second, 'second');

  const third = start('third');
  await third.line('job.succeeded', { id });
  expect((await db.stock.findUniqueOrThrow({ where: { article: 'Item 1' } })).quantity).toBe(4);
  expect(mailServer.mails.map(({ subject }) => subject!.replace(/\d+/, 'N'))).toEqual([
    'Your invoice INV-N',
    'Your receipt O-N',
    'How do you like your order N?',
  ]);
});

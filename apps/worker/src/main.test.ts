import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliverWebhook, sendInvoice } from '@duework/shop';
import { createTestDatabase } from '@duework/database/testing';
import { cancelJob, enqueue, getJob } from '@duework/queue-core';
import { killWorkers, until, type WorkerProcess } from '@duework/worker/testing';
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
  // the next test must not rescue what a killed worker held
  await database.db.jobRun.deleteMany();
});
afterAll(() => database.close());

const startWorker = (env: Record<string, string> = {}, nodeArgs: string[] = []): WorkerProcess =>
  startShopWorker({ DATABASE_URL: database.url, SMTP_URL: mailServer.url, ...env }, nodeArgs);

async function enqueueInvoice() {
  const { order } = await createOrder(database.db);
  const { id } = await enqueue(database.db, sendInvoice, { orderId: order.id });
  return { id, key: `invoice:${order.id}` };
}

test('a wrong environment is reported in one readable line, first that of the program', async () => {
  const shop = startShopWorker({ CONCURRENCY: 'many', WEBHOOK_SECRET: 'too short' });
  expect(await shop.ended).toBe(2);
  expect(shop.errors).toEqual([
    'DATABASE_URL must be set, to postgres://USER:PASSWORD@HOST:5432/DATABASE, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE',
    'WEBHOOK_SECRET must have at least 16 characters',
  ]);
  const worker = startWorker({ CONCURRENCY: 'many', QUEUES: 'defualt' });
  expect(await worker.ended).toBe(2);
  expect(worker.errors).toEqual([
    'CONCURRENCY must be a whole number from 1 to 1000, but it is "many"',
    'QUEUES must be a comma list of default, but it is "defualt"',
  ]);
  expect([...shop.lines, ...worker.lines]).toEqual([]);
});

test('an unusable database is reported in one readable line with its fix', async () => {
  const empty = await createTestDatabase({ isMigrated: false });
  const lines = [
    [
      { DATABASE_URL: 'postgres://postgres:geheim@127.0.0.1:1/duework' },
      /^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/duework: nothing answers there\. Start PostgreSQL/,
    ],
    [{ DATABASE_URL: empty.url }, /^The database lacks \d+ of \d+ migrations\. Run: npx duework migrate$/],
  ] as const;
  for (const [env, line] of lines) {
    const worker = startShopWorker({ ...env, DATABASE_WAIT_MS: '0' });
    expect(await worker.ended).toBe(1);
    expect(worker.errors).toEqual([expect.stringMatching(line)]);
  }
  await empty.drop();
});

test('a port that is taken is reported in one readable line, and nothing is claimed', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const worker = startWorker({ WORKER_PORT: String(port) });
  expect(await worker.ended).toBe(1);
  expect(worker.errors).toEqual([`Port ${port} on 127.0.0.1 is taken. Set WORKER_PORT to a free port.`]);
  expect(worker.lines.map((line) => line.msg)).not.toContain('worker.started');
  other.close();
});

/** Locks a run's row until `act` has ended, so that nothing can be written about the run. */
async function whileLocked(id: string, act: () => Promise<void>): Promise<void> {
  await database.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE`;
      await act();
    },
    { timeout: 60_000 },
  );
}

describe.each(['prisma', 'pg'])('a worker whose statements go through %s', (ENGINE_CLIENT) => {
  const start = (env: Record<string, string> = {}): WorkerProcess => startWorker({ ENGINE_CLIENT, ...env });

  test('SIGTERM lets running jobs finish and exits 0', async () => {
    const { id } = await enqueueInvoice();
    const held = mailServer.hold('reply');
    const worker = start();
    await held.reached;
    const address = await worker.address();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    worker.signal('SIGTERM');
    expect(await worker.line('worker.draining')).toMatchObject({ running: 1 });
    expect((await fetch(`${address}/readyz`)).status).toBe(503);
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    held.release();
    expect(await worker.ended).toBe(0);
    expect(await worker.line('worker.stopped')).toMatchObject({ released: 0 });
    expect((await getJob(database.db, id)).job.status).toBe('succeeded');
  });

  test('SIGTERM past the deadline releases the rest, uncharged', async () => {
    const { id, key } = await enqueueInvoice();
    const held = mailServer.hold('greeting');
    const worker = start({ SHUTDOWN_DEADLINE_MS: '100' });
    await held.reached;
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(await worker.line('job.released', { id })).toMatchObject({ type: 'send_invoice', attempt: 1 });
    expect(await worker.line('worker.stopped')).toMatchObject({ released: 1 });
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'queued', attempts: 0 });
    expect(attempts).toMatchObject([{ outcome: 'interrupted' }]);
    expect(await findMailEffect(database.db, key)).toBeNull();
    await cancelJob(database.db, id);
  });

  test('SIGTERM past the deadline in the middle of a mail leaves the mail to a person, and exits 0', async () => {
    const { id, key } = await enqueueInvoice();
    const held = mailServer.hold('reply');
    const worker = start({ SHUTDOWN_DEADLINE_MS: '100' });
    await held.reached;
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect((await getJob(database.db, id)).job).toMatchObject({
      status: 'dead',
      errorCode: 'effect_unknown',
      lastError: expect.stringContaining('Message-ID <invoice-'),
    });
    expect(await findMailEffect(database.db, key)).toMatchObject({ status: 'unknown' });
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a second %s releases what still runs, uncharged, and exits at once', async (signal, code) => {
    const { id, key } = await enqueueInvoice();
    const held = mailServer.hold('greeting');
    const worker = start({ SHUTDOWN_DEADLINE_MS: '600000' });
    await held.reached;
    worker.signal(signal);
    await worker.line('worker.draining');
    worker.signal(signal);
    expect(await worker.ended).toBe(code);
    expect(await worker.line('job.released', { id })).toMatchObject({ attempt: 1 });
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'queued', attempts: 0 });
    expect(attempts).toMatchObject([{ outcome: 'interrupted' }]);
    expect(await findMailEffect(database.db, key)).toBeNull();
    await cancelJob(database.db, id);
  });

  test.each([
    [['SIGTERM'], 143],
    [['SIGTERM', 'SIGINT'], 130],
  ] as const)(
    'a second signal ends the process within seconds, and a third one at once, whatever hangs: %p',
    async (more, code) => {
      const { id } = await enqueueInvoice();
      const held = mailServer.hold('greeting');
      const worker = start({ SHUTDOWN_DEADLINE_MS: '600000' });
      await held.reached;
      await whileLocked(id, async () => {
        worker.signal('SIGTERM');
        await worker.line('worker.draining');
        for (const [index, signal] of more.entries()) {
          await until(async () => worker.lines.filter(({ msg }) => msg === 'signal.received').length === index + 1);
          worker.signal(signal);
        }
        expect(await worker.ended).toBe(code);
      });
      expect(worker.lines.map(({ msg }) => msg)).not.toContain('job.released');
      await database.db.jobRun.delete({ where: { id: BigInt(id) } });
    },
  );
});

test('an unhandled rejection in a handler is logged, and the process ends with exit code 1 after its jobs', async () => {
  const stray = "data:text/javascript,process.on('SIGUSR2', () => { Promise.reject(new Error('stray')); })";
  const worker = startWorker({}, ['--import', stray]);
  await worker.line('worker.started');
  worker.signal('SIGUSR2');
  expect(await worker.line('process.failed')).toMatchObject({
    level: 60,
    fault: 'unhandledRejection',
    err: { message: 'stray' },
  });
  expect(await worker.ended).toBe(1);
  expect(await worker.line('worker.stopped')).toMatchObject({ released: 0 });
});

test('log lines never contain a payload', async () => {
  const { db } = database;
  const worker = startWorker({
    WEBHOOK_SECRET: 'whisper-whisper-whisper',
    LOG_LEVEL: 'trace',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const webhook = (url: string) =>
    enqueue(db, deliverWebhook, { eventId: `e-${url}`, url, event: 'whisper', body: { whisper: 'whisper' } });
  const ids = [
    (await webhook('http://127.0.0.1:1/whisper?token=whisper')).id,
    (await webhook('http://whisper.invalid/')).id,
    (await webhook('https://user:whisper@127.0.0.1:1/')).id,
    (await enqueueInvoice()).id,
  ];
  const unfit = await webhook('http://127.0.0.1:1/unfit');
  await db.$executeRaw`UPDATE duework.job_runs SET payload = '{"url": "whisper", "whisper": ["whisper"]}' WHERE id = ${unfit.id}::bigint`;
  for (const id of ids.slice(0, 3)) await worker.line('job.failed', { id });
  await worker.line('job.succeeded', { id: ids[3] });
  await Promise.race([worker.line('job.dead', { id: unfit.id }), worker.line('job.failed', { id: unfit.id })]);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  const text = JSON.stringify(worker.lines);
  expect(text).not.toContain('whisper');
  expect(text).not.toContain('example.com');
  expect(worker.lines.find((line) => line.msg === 'job.succeeded')).toMatchObject({
    type: 'send_invoice',
    id: ids[3],
    attempt: 1,
    fence: 1,
    result: 'succeeded',
    ranMs: expect.any(Number),
  });
  await db.jobRun.deleteMany();
});

test('/metrics answers while the database is away, and says that it is', async () => {
  const own = await openTestDatabase();
  const worker = startShopWorker({ DATABASE_URL: own.url });
  await worker.line('worker.started');
  const address = await worker.address();
  const metrics = async () => (await fetch(`${address}/metrics`)).text();
  const up = await metrics();
  expect(up).toContain('duework_database_up 1');
  expect(up).toContain('duework_queue_jobs{queue="default",type="send_invoice",state="due"} 0');
  expect(up).toMatch(/^duework_horizon_age_seconds \d/m);
  expect(up).toContain('process_cpu_seconds_total');
  await own.close();
  await worker.line('database.failed');
  // an answer is good for two seconds
  await until(async () => (await metrics()).includes('duework_database_up 0'));
  const response = await fetch(`${address}/metrics`);
  expect(response.status).toBe(200);
  const away = await response.text();
  expect(away).not.toContain('state="due"');
  expect(away).not.toMatch(/^duework_horizon_age_seconds /m);
  await until(async () => (await fetch(`${address}/readyz`)).status === 503);
  expect((await fetch(`${address}/livez`)).status).toBe(200);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanupNightly, sendInvoice } from '@duework/shop';
import { enqueue, getJob } from '@duework/queue-core';
import { findDueTimes, getSchedule, saveSchedule, due } from '@duework/schedules';
import { createFact, killWorkers, until, type WorkerProcess } from '@duework/worker/testing';
import { createOrder } from './shop/testing/create-order.js';
import { openTestDatabase } from './shop/testing/open-test-database.js';
import { startMailServer, type MailServer } from './shop/testing/start-mail-server.js';
import { startShopWorker } from './testing/start-shop-worker.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailServer: MailServer;
let tempDir: string;

beforeAll(async () => {
  database = await openTestDatabase();
  tempDir = mkdtempSync(join(tmpdir(), 'duework-once-'));
});
beforeEach(async () => {
  mailServer = await startMailServer();
});
afterEach(async () => {
  killWorkers();
  await mailServer.stop();
  await database.db.jobRun.deleteMany();
  await database.db.jobKey.deleteMany();
});
afterAll(async () => {
  await database.close();
  rmSync(tempDir, { recursive: true });
});

const wake = (
  args: readonly string[] = [],
  env: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
): WorkerProcess =>
  startShopWorker({ DATABASE_URL: database.url, SMTP_URL: mailServer.url, TEMP_DIR: tempDir, ...env }, nodeArgs, [
    '--once',
    ...args,
  ]);

async function enqueueInvoice(): Promise<string> {
  const { order } = await createOrder(database.db);
  return (await enqueue(database.db, sendInvoice, { orderId: order.id })).id;
}

describe.each(['prisma', 'pg'])('a wake-up whose statements go through %s', (ENGINE_CLIENT) => {
  const wakeOnce = (args: readonly string[] = []): WorkerProcess => wake(args, { ENGINE_CLIENT });

  test('--once exits with 0 at once when nothing is due, and takes no port', async () => {
    const worker = wakeOnce();
    expect(await worker.ended).toBe(0);
    expect(worker.errors).toEqual([]);
    expect(await worker.line('once.ended')).toMatchObject({ result: 'done', dead: 0 });
    expect(worker.lines.map(({ msg }) => msg)).not.toContain('http.listening');
  });

  test('--once ticks, runs what fired, and exits with 0 when nothing is due any more', async () => {
    const { db } = database;
    const key = `cleanup_through_${ENGINE_CLIENT}`;
    const invoice = await enqueueInvoice();
    await saveSchedule(db, cleanupNightly, {
      key,
      cron: '0 3 * * *',
      payload: { day: due.date({ addDays: -1 }) },
    });
    await db.$executeRaw`UPDATE duework.schedules SET next_due_at = '2026-01-14T03:00:00Z', tick_at = now(), ends_at = '2026-01-14T03:00:01Z' WHERE key = ${key}`;
    const worker = wakeOnce();
    expect(await worker.ended).toBe(0);
    expect(await worker.line('schedule.fired')).toMatchObject({
      schedule: key,
      dueAt: '2026-01-14T03:00:00.000Z',
    });
    const { dueTimes } = await findDueTimes(db, { scheduleKey: key });
    expect(dueTimes).toMatchObject([{ outcome: 'fired', runStatus: 'succeeded' }]);
    expect((await getJob(db, dueTimes[0]!.runId!)).job.payload).toEqual({ day: '2026-01-13' });
    expect((await getJob(db, invoice)).job.status).toBe('succeeded');
    expect(mailServer.mails).toHaveLength(1);
    // the schedules that the program declares are there, too
    expect(await getSchedule(db, 'cleanup_nightly')).toMatchObject({ source: 'code', cron: '0 2 * * *' });
  });

  test('--once exits with 3 when its time is over and a job is still due, and the next wake-up runs the job', async () => {
    const { db } = database;
    const id = await enqueueInvoice();
    // due, but no worker can take it, because its row is locked
    const locked = createFact();
    const freed = createFact();
    const lock = db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE`;
        locked.happen();
        await freed.happened;
      },
      { timeout: 60_000 },
    );
    await locked.happened;
    const worker = wakeOnce(['--max-runtime', '100ms']);
    expect(await worker.ended).toBe(3);
    expect(await worker.line('once.ended')).toMatchObject({ result: 'time_over' });
    expect((await getJob(db, id)).job).toMatchObject({ status: 'queued', attempts: 0 });
    freed.happen();
    await lock;
    expect(await wakeOnce().ended).toBe(0);
    expect((await getJob(db, id)).job.status).toBe('succeeded');
  });

  test('--once exits with 4 when nothing is due any more and a job was given up', async () => {
    const { id } = await enqueue(database.db, sendInvoice, { orderId: 2_000_000_000 });
    const worker = wakeOnce();
    expect(await worker.ended).toBe(4);
    expect(await worker.line('once.ended')).toMatchObject({ result: 'done', dead: 1 });
    expect((await getJob(database.db, id)).job.status).toBe('dead');
  });

  test('wake-ups may overlap: each job runs once, and no wake-up waits for another', async () => {
    const id = await enqueueInvoice();
    const held = mailServer.hold('reply');
    const first = wakeOnce();
    await held.reached;
    // the first wake-up is busy with the only due job: nothing is left for these
    expect(await Promise.all([wakeOnce().ended, wakeOnce().ended])).toEqual([0, 0]);
    held.release();
    expect(await first.ended).toBe(0);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(mailServer.mails).toHaveLength(1);
  });
});

test('a machine whose clock is half an hour wrong fires what is due on the database clock, and nothing else', async () => {
  const { db } = database;
  for (const minutes of [30, -30]) {
    const wrong = `const D = Date; globalThis.Date = class extends D { constructor(...given) { given.length === 0 ? super(D.now() + ${minutes * 60_000}) : super(...given); } static now() { return D.now() + ${minutes * 60_000}; } };`;
    const [past, coming] = [`due${minutes}`.replace('-', 'm'), `coming${minutes}`.replace('-', 'm')];
    for (const [key, shift] of [
      [past, '-1 minute'],
      [coming, '10 minutes'],
    ] as const) {
      await saveSchedule(db, cleanupNightly, {
        key,
        every: '1d',
        payload: { day: due.date({ addDays: 200 + minutes }) },
        overlap: 'allow',
      });
      await db.$executeRaw`UPDATE duework.schedules SET next_due_at = date_trunc('second', now()) + ${shift}::interval, tick_at = date_trunc('second', now()) + ${shift}::interval WHERE key = ${key}`;
    }
    expect(await wake([], {}, ['--import', `data:text/javascript,${encodeURIComponent(wrong)}`]).ended).toBe(0);
    expect(
      (await findDueTimes(db, { scheduleKey: past })).dueTimes.map(({ outcome, lateMs }) => [
        outcome,
        lateMs < 300_000,
      ]),
    ).toEqual([['fired', true]]);
    expect((await findDueTimes(db, { scheduleKey: coming })).dueTimes).toEqual([]);
    // its next due time is computed from the database's now, too
    const [{ ahead }] = await db.$queryRaw<
      [{ ahead: number }]
    >`SELECT extract(epoch FROM next_due_at - now())::float8 AS ahead FROM duework.schedules WHERE key = ${past}`;
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(86_400);
  }
});

test('SIGTERM stops a wake-up as it stops a daemon, with exit code 0', async () => {
  const id = await enqueueInvoice();
  const held = mailServer.hold('reply');
  const worker = wake();
  await held.reached;
  worker.signal('SIGTERM');
  await worker.line('worker.draining');
  held.release();
  expect(await worker.ended).toBe(0);
  expect((await getJob(database.db, id)).job.status).toBe('succeeded');
});

test('--once exits with 1 without a database and with 2 for wrong arguments, each with one readable line', async () => {
  const away = wake([], { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/duework', DATABASE_WAIT_MS: '0' });
  expect(await away.ended).toBe(1);
  expect(away.errors).toHaveLength(1);
  for (const args of [['--max-runtime', 'soon'], ['--twice'], ['now']]) {
    const wrong = wake(args);
    expect(await wrong.ended).toBe(2);
    expect(wrong.errors).toHaveLength(1);
  }
});

test('a daemon ticks by itself: a due time that comes while it sleeps fires and runs', async () => {
  const { db } = database;
  const worker = startShopWorker({ DATABASE_URL: database.url, SMTP_URL: mailServer.url, TEMP_DIR: tempDir });
  await worker.line('worker.started');
  await saveSchedule(db, cleanupNightly, { key: 'soon', every: '1s', payload: { day: due.date({ addDays: 300 }) } });
  const fired = await worker.line('schedule.fired', { schedule: 'soon' });
  await worker.line('job.succeeded', { id: fired['id'] });
  await until(async () =>
    (await findDueTimes(db, { scheduleKey: 'soon' })).dueTimes.some(({ reason }) => reason === 'duplicate'),
  );
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  await db.schedule.deleteMany({ where: { key: 'soon' } });
});

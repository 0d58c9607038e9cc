import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { killWorkers, until, type WorkerProcess } from '@duework/worker/testing';
import { openTestDatabase } from './shop/testing/open-test-database.js';
import { startMailbox, type MailboxProcess } from './testing/start-mailbox.js';
import { startShopWorker } from './testing/start-shop-worker.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailbox: MailboxProcess;

beforeAll(async () => {
  database = await openTestDatabase();
  mailbox = await startMailbox();
  await database.db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, failed_at, error_code, last_error, created_at, finished_at)
    VALUES (900000, 'default', 'send_invoice', 1, 'dead', 5, now(), '{"orderId": "geheim"}', 1, 1, 1, now(), 'x', 'geheim', now(), now())`;
});
afterEach(killWorkers);
afterAll(async () => {
  await mailbox.stop();
  await database.close();
});

const start = (): WorkerProcess =>
  startShopWorker({
    DATABASE_URL: database.url,
    ALERT_DEAD_PER_HOUR: '0',
    ALERT_SMTP_URL: mailbox.smtpUrl,
    ALERT_MAIL_TO: 'ana@example.com,bo@example.com',
    ALERT_MAIL_FROM: 'Duework <duework@example.com>',
  });

test('an alert of two workers comes as one mail, to everybody who was named, without a word of a payload', async () => {
  const workers = [start(), start()];
  await Promise.all(workers.map((worker) => worker.line('worker.started')));
  await Promise.any(workers.map((worker) => worker.line('alert.raised', { alert: 'too_many_dead_jobs' })));
  await until(async () => (await mailbox.mails()).length > 0);
  for (const worker of workers) worker.signal('SIGTERM');
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);

  const mails = await mailbox.mails();
  expect(mails).toMatchObject([
    {
      from: 'duework@example.com',
      to: ['ana@example.com', 'bo@example.com'],
      subject: '[duework] too_many_dead_jobs/send_invoice',
    },
  ]);
  const text = await mailbox.textOf(mails[0]!.id);
  expect(text).toMatch(
    /^Jobs of send_invoice that were given up within the last hour: 1, most with x; the limit is 0\.\n/,
  );
  expect(text).toContain('\ndeadInTheLastHour: 1\n');
  expect(text).not.toContain('geheim');
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendWeeklyReport } from '@duework/shop';
import { enqueue } from '@duework/queue-core';
import { createOrder } from '../testing/create-order.js';
import { openTestDatabase } from '../testing/open-test-database.js';
import { startMailServer, type MailServer } from '../testing/start-mail-server.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailServer: MailServer;
let worker: TestWorker;

beforeAll(async () => {
  database = await openTestDatabase();
  mailServer = await startMailServer();
  worker = await startTestWorker({ ...database, smtpUrl: mailServer.url });
});
afterAll(async () => {
  await worker.stop();
  await mailServer.stop();
  await database.close();
});

async function report(userId: number, from: string, to: string) {
  const job = await enqueue(database.db, sendWeeklyReport, { userId, from, to });
  expect(await worker.end(job.id)).toMatchObject({ name: 'job.succeeded' });
  return mailServer.mails.find((mail) => mail.messageId === `<weekly_report-${userId}-${from}@duework.local>`)!;
}

test('a weekly report has the paid orders from its first day up to and including its last, in UTC', async () => {
  const { db } = database;
  const { user } = await createOrder(db, { isPaid: false });
  const moments = [
    '2026-11-08T23:59:59.999Z',
    '2026-11-09T00:00:00Z',
    '2026-11-15T23:59:59.999Z',
    '2026-11-16T00:00:00Z',
  ];
  const orders = [];
  for (const [index, paidAt] of moments.entries()) {
    orders.push(
      await db.order.create({
        data: {
          userId: user.id,
          currency: index === 1 ? 'USD' : 'EUR',
          status: 'PAID',
          paidAt,
          items: { create: [{ line: 1, description: 'Pen', quantity: 2, unitCents: 150 }] },
        },
      }),
    );
  }
  const mail = await report(user.id, '2026-11-09', '2026-11-15');
  const shown = orders.map((order) => mail.text!.includes(`No. ${order.id} `));
  expect(shown).toEqual([false, true, true, false]);
  expect(mail.subject).toBe('Your orders from 9 Nov 2026 to 15 Nov 2026');
  expect(mail.text).toContain('You paid for 2 orders');
  expect(mail.text).toContain('Total: USD 3.00, EUR 3.00');
  expect(mail.to?.[0]?.address).toBe(user.email);
});

test('a weekly report is sent when nothing was bought, too', async () => {
  const { user } = await createOrder(database.db);
  const mail = await report(user.id, '2025-01-06', '2025-01-06');
  expect(mail.text).toContain('You bought nothing on 6 Jan 2025.');
});

test('the report of a deleted user ends as a dead job', async () => {
  const job = await enqueue(database.db, sendWeeklyReport, {
    userId: 2_000_000_000,
    from: '2026-11-09',
    to: '2026-11-15',
  });
  expect(await worker.end(job.id)).toMatchObject({ name: 'job.dead', error: { code: 'user_not_found' } });
});

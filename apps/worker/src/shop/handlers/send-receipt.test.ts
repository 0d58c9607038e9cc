import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendReceipt } from '@duework/shop';
import { enqueue, getJob } from '@duework/queue-core';
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

async function send(receiptId: string) {
  const { id } = await enqueue(database.db, sendReceipt, {
    receiptId,
    email: 'ada@example.com',
    amountCents: 123_456,
    currency: 'EUR',
  });
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  return { result: (await getJob(database.db, id)).job.result, mail: mailServer.mails.at(-1)! };
}

test('a receipt is mailed as text and as HTML, and the job keeps the mail server’s reply', async () => {
  const { mail, result } = await send('2026-17');
  expect(mail).toMatchObject({
    subject: 'Your receipt 2026-17',
    messageId: '<receipt-2026-17@duework.local>',
    to: [{ address: 'ada@example.com' }],
  });
  for (const body of [mail.text, mail.html]) expect(body).toContain('EUR 1,234.56');
  expect(result).toEqual({ messageId: '<receipt-2026-17@duework.local>', reply: expect.stringMatching(/^250 /) });
});

test('no receipt id can break out of its header', async () => {
  const { mail } = await send('1>\r\nBcc: (eve) <b>');
  expect(mail.messageId).toBe('<receipt-1%3E%0D%0ABcc-%20%28eve%29%20%3Cb%3E@duework.local>');
  expect(mail.bcc ?? []).toEqual([]);
  expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail.html).not.toContain('<b>');
});

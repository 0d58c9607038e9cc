import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { confirmOrder } from '@duework/shop';
import { enqueue, getJob } from '@duework/queue-core';
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

async function confirm(): Promise<string> {
  const { user, order } = await createOrder(database.db);
  const { id } = await enqueue(database.db, confirmOrder, { orderId: order.id, customerId: user.id });
  return id;
}

test('an order is confirmed by mail, with its customer and the provider as gates', async () => {
  const id = await confirm();
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(mailServer.mails.at(-1)).toMatchObject({ subject: expect.stringMatching(/^We have your order \d+$/) });
  const [row] = await database.db.$queryRaw<[{ gates: string[] }]>`
    SELECT gates FROM duework.jobs WHERE id = ${BigInt(id)}`;
  expect(row.gates).toEqual([expect.stringMatching(/^tenant\/default\/\d+$/), 'limit/smtp']);
});

test('a mail server that says to come back later shuts the limit for everybody, and no attempt is charged', async () => {
  mailServer.refuse('recipient', 451);
  const id = await confirm();
  const isShut = { key: 'limit/smtp', closedUntil: { gt: new Date() } };
  while ((await database.db.flowKey.count({ where: isShut })) === 0);
  const next = await confirm();
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(await worker.end(next)).toMatchObject({ name: 'job.succeeded' });
  const both = await Promise.all([id, next].map((one) => getJob(database.db, one)));
  expect(both.map(({ job }) => job.attempts)).toEqual([1, 1]);
});

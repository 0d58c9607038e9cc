import { connectPg, type PgClient } from '@duework/database';
import { createKeyRing, enqueue, getJob, setKeyRing, systemClock, type Handlers } from '@duework/queue-core';
import { approveCredit, catalog } from '@duework/shop';
import { drain } from '@duework/testing/kit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bindDatabase } from '../../bind-database.js';
import { createHandlers } from '../create-handlers.js';
import { createMailSender } from '../send-mail-once.js';
import { createOrder } from '../testing/create-order.js';
import { openTestDatabase } from '../testing/open-test-database.js';
import { startMailServer, type MailServer } from '../testing/start-mail-server.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailServer: MailServer;
let cancelThrough: PgClient;
beforeAll(async () => {
  setKeyRing(createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } }));
  database = await openTestDatabase();
  mailServer = await startMailServer();
  cancelThrough = connectPg({ url: database.url, poolSize: 1 });
});
afterAll(async () => {
  setKeyRing(null);
  await cancelThrough.$disconnect();
  await mailServer.stop();
  await database.close();
});

const never = (): never => {
  throw new Error('nobody asks for this here');
};
/** Lets a worker do all that is due; with `untilEmpty` the time of what is waited for is over at once. */
const work = (untilEmpty = false) =>
  drain(database.db, {
    catalog,
    handlers: createHandlers({
      sendMailOnce: createMailSender({ smtpUrl: mailServer.url, from: 'Shop <shop@example.com>' }),
      apiUrl: 'https://shop.example.com/queue/',
      cleanup: { tempDir: '/nonexistent', maxFileAgeHours: 24, now: never },
      webhook: { secret: undefined, isPrivateAllowed: true, timeoutMs: 1, resolve: never, now: never },
    }) as Handlers<typeof catalog>,
    middleware: bindDatabase({ db: database.db, cancelThrough, catalog, clock: systemClock }),
    untilEmpty,
  });

test('the desk is asked once, with a link of the API, and an order about which nobody decides stays as it is', async () => {
  const { order } = await createOrder(database.db, { isPaid: false, lines: 2 });
  const { id } = await enqueue(database.db, approveCredit, { orderId: order.id });
  await work();
  await work();
  expect(mailServer.mails).toHaveLength(1);
  const { to, subject, text } = mailServer.mails[0]!;
  expect([to?.[0]?.address, subject]).toEqual(['desk@duework.local', `Ship order ${order.id} on account?`]);
  expect(text).toMatch(
    /Customer: .*@.*\nAmount: EUR [\d.]+\n\nDecide: https:\/\/shop\.example\.com\/queue\/approvals\/\S+\n/,
  );
  await work(true);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', result: 'nobody decided' });
  expect(await database.db.order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({ status: 'PENDING' });
});

test('a job about an order that there is not is dead at once', async () => {
  const { id } = await enqueue(database.db, approveCredit, { orderId: 2_000_000_000 });
  await work();
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'order_not_found' });
});

test('a question that the mail server refuses is asked again, and no decision is waited for meanwhile', async () => {
  const { order } = await createOrder(database.db, { isPaid: false, lines: 1 });
  const { id } = await enqueue(database.db, approveCredit, { orderId: order.id });
  const before = mailServer.mails.length;
  mailServer.refuse('recipient', 550);
  await work();
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'failed', errorCode: 'smtp_550' });
  await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(id)}`;
  await work();
  expect(mailServer.mails).toHaveLength(before + 1);
  expect((await getJob(database.db, id)).job.status).toBe('queued');
});

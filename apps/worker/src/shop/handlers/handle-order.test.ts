import { readFileSync } from 'node:fs';
import { connectPg, type PgClient } from '@duework/database';
import { cancelJob, enqueue, getJob, signal, systemClock, type Handlers } from '@duework/queue-core';
import { cancelUnpaid, catalog, handleOrder, orderPaid } from '@duework/shop';
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
  database = await openTestDatabase();
  mailServer = await startMailServer();
  cancelThrough = connectPg({ url: database.url, poolSize: 1 });
  await database.db.stock.create({ data: { article: 'Item 1', quantity: 10 } });
});
afterAll(async () => {
  await cancelThrough.$disconnect();
  await mailServer.stop();
  await database.close();
});

const never = (): never => {
  throw new Error('nobody asks for this here');
};
/** Lets a worker do all that is due; with `overWaits` the time of what is waited for is over at once. */
function work(overWaits = false) {
  const handlers = createHandlers({
    sendMailOnce: createMailSender({ smtpUrl: mailServer.url, from: 'Shop <shop@example.com>' }),
    apiUrl: 'http://127.0.0.1:9',
    cleanup: { tempDir: '/nonexistent', maxFileAgeHours: 24, now: never },
    webhook: { secret: undefined, isPrivateAllowed: true, timeoutMs: 1, resolve: never, now: never },
  }) as Handlers<typeof catalog>;
  const middleware = bindDatabase({ db: database.db, cancelThrough, catalog, clock: systemClock });
  return drain(database.db, { catalog, handlers, middleware, untilEmpty: overWaits });
}

/** An order of one piece that nobody has paid yet, and the job that sees it through. */
async function begin() {
  const { user, order } = await createOrder(database.db, { isPaid: false, lines: 1 });
  const job = await enqueue(database.db, handleOrder, { orderId: order.id });
  return { orderId: order.id, jobId: job.id, email: user.email };
}
const pay = (orderId: number) =>
  database.db.$transaction(async (tx) => {
    await tx.order.update({ where: { id: orderId }, data: { status: 'PAID', paidAt: new Date() } });
    await signal(tx, orderPaid, { orderId });
  });
const left = async () => (await database.db.stock.findUniqueOrThrow({ where: { article: 'Item 1' } })).quantity;
const statusOf = async (id: number) => (await database.db.order.findUniqueOrThrow({ where: { id } })).status;
const mailsTo = (email: string) =>
  mailServer.mails.filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject!.replace(/\d+/, 'N'));

test('an order that is paid in time is reserved once, invoiced, and a review is asked for a week later', async () => {
  const before = await left();
  const { orderId, jobId, email } = await begin();
  await work();
  expect([await left(), mailsTo(email)]).toEqual([before - 1, []]);
  await pay(orderId);
  await work();
  expect(mailsTo(email)).toEqual(['Your invoice INV-N', 'Your receipt O-N']);
  const { job } = await getJob(database.db, jobId);
  expect([job.status, Math.round((job.runAt.getTime() - Date.now()) / 86_400_000)]).toEqual(['queued', 7]);
  await work(true);
  expect(mailsTo(email)).toEqual(['Your invoice INV-N', 'Your receipt O-N', 'How do you like your order N?']);
  expect([await left(), (await getJob(database.db, jobId)).job]).toMatchObject([before - 1, { status: 'succeeded' }]);
});

test('an order that nobody pays in time is cancelled, and what was reserved for it is given back', async () => {
  const before = await left();
  const { orderId, jobId, email } = await begin();
  await work();
  expect(await left()).toBe(before - 1);
  await work(true);
  expect([await left(), await statusOf(orderId), mailsTo(email)]).toEqual([before, 'CANCELLED', []]);
  expect((await getJob(database.db, jobId)).job).toMatchObject({ status: 'succeeded', result: 'cancelled' });
});

test('an order that is cancelled gives back what was reserved, in the transaction that cancels its job', async () => {
  const before = await left();
  const { orderId, jobId, email } = await begin();
  await work();
  const cancel = () =>
    database.db.$transaction(async (tx) => {
      expect(await cancelUnpaid(tx, orderId)).toBe('cancelled');
      await cancelJob(tx, jobId);
    });
  await cancel();
  expect([await left(), await statusOf(orderId)]).toEqual([before, 'CANCELLED']);
  expect((await getJob(database.db, jobId)).job.status).toBe('cancelled');
  await work(true);
  expect([await left(), mailsTo(email)]).toEqual([before, []]);
});

test('a payment whose signal comes too late counts all the same, because the order is paid', async () => {
  const { orderId, email } = await begin();
  await work();
  await database.db.order.update({ where: { id: orderId }, data: { status: 'PAID', paidAt: new Date() } });
  await work(true);
  expect(await statusOf(orderId)).toBe('PAID');
  expect(mailsTo(email)).toHaveLength(3);
});

test('an order that was cancelled before its job began, or of what is sold out, takes nothing out of the stock', async () => {
  const [cancelled, first] = [await begin(), await begin()];
  await database.db.$transaction((tx) => cancelUnpaid(tx, cancelled.orderId));
  await database.db.stock.update({ where: { article: 'Item 1' }, data: { quantity: 1 } });
  await work();
  const late = await begin();
  await work();
  expect([await left(), await statusOf(first.orderId), await statusOf(late.orderId)]).toEqual([
    0,
    'PENDING',
    'CANCELLED',
  ]);
  expect((await getJob(database.db, cancelled.jobId)).job.result).toBe('cancelled');
});

test('the code of docs/how-to/order-life.md is the code that is tried here', () => {
  const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
  const page = read('docs/how-to/order-life.md');
  const pieces = [
    ...page.matchAll(/<!-- from: (\S+) -->\n(?:<!-- file: .*\n)?\n```ts\n(?:import .*\n|\n)*([^]*?)```/g),
  ];
  expect(pieces.map(([, path]) => path)).toHaveLength(page.split('```ts').length - 1);
  for (const [, path, code] of pieces) expect(read(path!)).toContain(code);
});

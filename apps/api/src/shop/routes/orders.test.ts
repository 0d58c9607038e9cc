import { connectPrisma } from '@duework/database';
import { connectPatiently } from '@duework/database/testing';
import { useTestApi, waitUntil } from '@duework/http/testing';
import { expect, test } from '@jest/globals';
import { shopRoutes } from '../shop-routes.js';

const api = useTestApi(() => ({}), shopRoutes);
const away = useTestApi(
  () => ({ db: connectPrisma({ url: 'postgres://duework:duework@127.0.0.1:1/duework', poolSize: 1 }) }),
  shopRoutes,
);

const newOrder = (email = 'ada@example.com') => ({
  customer: { name: 'Ada', email },
  currency: 'EUR',
  items: [
    { description: 'A cog', quantity: 2, unitCents: 1_250 },
    { description: 'Postage', quantity: 1, unitCents: 490 },
  ],
});

const placeOrder = async (): Promise<number> => (await api.post('/v1/orders', newOrder())).body.id;
const countInvoices = (orderId: number) => api.db.jobRun.count({ where: { idempotencyKey: `invoice:${orderId}` } });

test('an order is placed, summed up, and found at the address in the answer', async () => {
  const answer = await api.post('/v1/orders', newOrder());
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    status: 'PENDING',
    currency: 'EUR',
    totalCents: 2_990,
    paidAt: null,
    customer: { email: 'ada@example.com' },
  });
  expect(answer.body.items[0]).toEqual({
    line: 1,
    description: 'A cog',
    quantity: 2,
    unitCents: 1_250,
    totalCents: 2_500,
  });
  const found = await api.get(answer.headers.get('location')!);
  expect(found.body).toEqual(answer.body);
});

test('one person is one user, however they write their address, even in two requests at once', async () => {
  const emails = [
    'grace@example.com',
    ' GRACE@example.com',
    'Grace@Example.COM ',
    'grace@EXAMPLE.com',
    'gRace@example.com',
  ];
  const orders = await Promise.all(emails.map((email) => api.post('/v1/orders', newOrder(email))));
  expect(orders.map(({ status }) => status)).toEqual(emails.map(() => 201));
  expect(new Set(orders.map(({ body }) => body.customer.id)).size).toBe(1);
});

test('an order that becomes PAID has its job in the same transaction', async () => {
  const id = await placeOrder();
  const answer = await api.post(`/v1/orders/${id}/pay`);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    order: { id, status: 'PAID', paidAt: expect.stringMatching(/Z$/) },
    job: { status: 'queued', deduplicated: false },
  });
  // xmin is the transaction that wrote a row.
  const [written] = await api.db.$queryRaw<[{ together: boolean }]>`
    SELECT o.xmin = r.xmin AS together
    FROM shop.orders o JOIN duework.job_runs r ON r.id = ${answer.body.job.id}::bigint
    WHERE o.id = ${id}::integer`;
  expect(written.together).toBe(true);
});

test('paying twice is answered with the same order and the same job', async () => {
  const id = await placeOrder();
  const [first, second] = [await api.post(`/v1/orders/${id}/pay`), await api.post(`/v1/orders/${id}/pay`)];
  expect(second.status).toBe(200);
  expect(second.body).toMatchObject({ order: first.body.order, job: { id: first.body.job.id, deduplicated: true } });
  expect(await countInvoices(id)).toBe(1);
});

test('paying twice at once enqueues one invoice', async () => {
  const id = await placeOrder();
  const holder = connectPatiently({ url: api.databaseUrl, poolSize: 1 });
  let answers: Promise<Awaited<ReturnType<typeof api.post>>[]> | undefined;
  await holder.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM shop.orders WHERE id = ${id}::integer FOR UPDATE`;
    answers = Promise.all([api.post(`/v1/orders/${id}/pay`), api.post(`/v1/orders/${id}/pay`)]);
    // Two connections of the API wait for the row that this one has locked.
    await waitUntil('both payments wait for the order', async () => {
      // Queried outside the transaction, which would see the same activity for as long as it lasts.
      const [row] = await api.db.$queryRaw<[{ waiting: number }]>`
        SELECT count(*)::integer AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE shop.orders%' AND pid <> pg_backend_pid()`;
      return row.waiting === 2;
    });
  });
  await holder.$disconnect();
  const [one, other] = (await answers!).map(({ status, body }) => ({ status, ...body }));
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.order).toEqual(other.order);
  expect(one.job.id).toBe(other.job.id);
  expect([one.job.deduplicated, other.job.deduplicated].sort()).toEqual([false, true]);
  expect(await countInvoices(id)).toBe(1);
});

test('paying again when the history of the first payment is gone enqueues nothing', async () => {
  const id = await placeOrder();
  await api.post(`/v1/orders/${id}/pay`);
  await api.db.jobRun.deleteMany({ where: { idempotencyKey: `invoice:${id}` } });
  await api.db.jobKey.deleteMany({ where: { key: `invoice:${id}` } });
  const answer = await api.post(`/v1/orders/${id}/pay`);
  expect([answer.status, answer.body.order.status, answer.body.job]).toEqual([200, 'PAID', null]);
  expect(await countInvoices(id)).toBe(0);
});

test('a roll-back leaves neither a paid order nor a job', async () => {
  const id = await placeOrder();
  // The roll-back comes at the commit, when both the order and the job have been written.
  await api.db
    .$executeRaw`CREATE FUNCTION shop.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no more today''; END'`;
  await api.db.$executeRaw`
    CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON shop.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop.refuse()`;
  const answer = await api.post(`/v1/orders/${id}/pay`);
  await api.db.$executeRaw`DROP FUNCTION shop.refuse() CASCADE`;
  expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
  expect(answer.text).not.toMatch(/no more today|prisma|shop\./i);
  expect((await api.get(`/v1/orders/${id}`)).body).toMatchObject({ status: 'PENDING', paidAt: null });
  expect(await countInvoices(id)).toBe(0);
  // and the next payment finds nothing in its way
  expect((await api.post(`/v1/orders/${id}/pay`)).body.job).toMatchObject({ deduplicated: false });
});

test('a customer gets a weekly report in their time zone, and in the new one after they move', async () => {
  const place = (customer: object) =>
    api.post('/v1/orders', { customer, currency: 'EUR', items: [{ description: 'Tea', quantity: 1, unitCents: 100 }] });
  const first = await place({ name: 'Ida', email: 'ida@example.com', timeZone: 'Asia/Tokyo' });
  const path = `/v1/schedules/weekly_report:user:${first.body.customer.id}`;
  expect((await api.get(path)).body).toMatchObject({
    type: 'send_weekly_report',
    words: 'At 09:00, only on Monday, in Asia/Tokyo',
    payload: { userId: first.body.customer.id },
  });
  const before = (await api.get(path)).body;
  await place({ name: 'Ida', email: 'ida@example.com' });
  expect((await api.get(path)).body).toEqual(before);
  await place({ name: 'Ida', email: 'ida@example.com', timeZone: 'Europe/Berlin' });
  const after = (await api.get(path)).body;
  expect(after.timeZone).toBe('Europe/Berlin');
  expect(
    new Date(after.nextDueAt).toLocaleString('en-GB', {
      timeZone: 'Europe/Berlin',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
  ).toBe('Mon 09:00');
  expect((await place({ name: 'Ida', email: 'ida@example.com', timeZone: 'Mars/Olympus' })).body.errors).toMatchObject([
    { pointer: '/customer/timeZone' },
  ]);
});

test.each([
  ['an order that is not there', 404, 'not_found', [], () => api.get('/v1/orders/999999')],
  ['an order id that is none', 404, 'not_found', [], () => api.post('/v1/orders/99999999999/pay')],
  [
    'a wrong order',
    422,
    'invalid_body',
    ['/customer/name', '/customer/email', '/currency', '/items'],
    () => api.post('/v1/orders', { customer: { name: 'A\0', email: 'x' }, currency: 'eur', items: [] }),
  ],
  [
    'a line that costs too much',
    422,
    'invalid_body',
    ['/items/0/quantity'],
    () => api.post('/v1/orders', { ...newOrder(), items: [{ description: 'x', quantity: 50_000, unitCents: 50_000 }] }),
  ],
  ['a database that is away, in a transaction', 503, 'database_unavailable', [], () => away.post('/v1/orders/1/pay')],
] as const)('%s is refused with a code', async (_what, status, code, pointers, ask) => {
  const answer = await ask();
  expect(answer.status).toBe(status);
  expect(answer.body.code).toBe(code);
  expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
});

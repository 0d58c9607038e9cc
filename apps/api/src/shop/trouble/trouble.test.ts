import type { PrismaClient } from '@duework/database';
import { defineCatalog } from '@duework/contracts';
import { useTestApi } from '@duework/http/testing';
import { getJob } from '@duework/queue-core';
import { handleOrder, orderPaid } from '@duework/shop';
import { drain } from '@duework/testing/kit';
import { describe, expect, test } from '@jest/globals';
import { OrderStream } from '../orders/order-stream.js';
import { placeLivingOrders } from '../orders/place-living-orders.js';
import { shopRoutes } from '../shop-routes.js';

let orders: OrderStream;
const failures: Error[] = [];
// the mailbox and the worker of a whole start are in the test of npm start
const shop = useTestApi(
  () => ({}),
  (parts) => {
    const { db }: { readonly db: PrismaClient } = parts;
    orders = new OrderStream({
      place: (count) => db.$transaction((tx) => placeLivingOrders(tx, count, Math.random)),
      onFailed: (error) => failures.push(error),
      random: Math.random,
      meanMs: 5,
    });
    return shopRoutes({ ...parts, trouble: { mailboxUrl: 'http://127.0.0.1:9', killWorker: null, orders } });
  },
);
const plain = useTestApi(() => ({}), shopRoutes);

const press = (url: string, action: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/shop/${action}`, { method: 'POST', redirect: 'manual', headers });

describe('a button of the shop’s page', () => {
  test.each([
    ['order', 1],
    ['sale', 2_000],
    ['address', 1],
    ['wholesale', 20_008],
  ])('%s places %d orders that are paid, each with its lines and its job', async (action, count) => {
    const before = [await shop.db.order.count({ where: { items: { some: {} } } }), await shop.db.jobRun.count()];
    const answer = await press(shop.url, action);
    const told = expect.stringMatching(new RegExp(`^/shop\\?did=${action}(&job=\\d+)?$`));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, told]);
    const after = [await shop.db.order.count({ where: { items: { some: {} } } }), await shop.db.jobRun.count()];
    expect(after).toEqual(before.map((known) => known + count));
    const [row] = await shop.db.$queryRaw<[{ together: boolean }]>`
      SELECT bool_and(o.xmin = r.xmin) AS together
      FROM shop.orders o JOIN duework.job_runs r ON r.idempotency_key = 'invoice:' || o.id`;
    expect(row.together).toBe(true);
  });

  test.each([
    ['later', 'mailbox', /The mailbox does not answer, so nothing was done/],
    ['refusal', 'mailbox', /The mailbox does not answer, so nothing was done/],
    ['death', 'worker', /Nobody would start another worker, so nothing was done/],
  ])('%s does nothing where it could not be undone, is off, and says why', async (action, why, words) => {
    const before = await shop.db.order.count();
    const answer = await press(shop.url, action);
    expect(answer.headers.get('location')).toBe(`/shop?did=${action}&refused=${why}`);
    expect(await shop.db.order.count()).toBe(before);
    expect((await shop.get(answer.headers.get('location')!)).text).toMatch(words);
    expect((await shop.get('/shop')).text).toMatch(new RegExp(`action="/shop/${action}">\\s*<button disabled>`));
  });

  test('works from the page itself, which lets browsers say where its forms come from', async () => {
    // without a referrer a browser sends `Origin: null`
    expect((await shop.get('/shop')).headers.get('referrer-policy')).toBe('same-origin');
    const answer = await press(shop.url, 'order', { Origin: shop.url, 'Sec-Fetch-Site': 'same-origin' });
    expect(answer.status).toBe(303);
  });

  test.each([
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['X-Forwarded-For', '203.0.113.7'],
  ])('does nothing for a request with %s: %s', async (name, value) => {
    const before = await shop.db.order.count();
    expect((await press(shop.url, 'order', { [name]: value })).status).toBe(401);
    expect(await shop.db.order.count()).toBe(before);
  });
});

describe('an order that is paid later', () => {
  /** The waits of the shop's own handler; its mails are tested with it. */
  const work = () =>
    drain(shop.db, {
      catalog: defineCatalog([handleOrder]),
      handlers: {
        handle_order: async ({ payload: { orderId, payWithin, reviewAfter }, waitFor, sleep }) => {
          await waitFor(orderPaid, { where: { orderId }, timeout: payWithin });
          await sleep(reviewAfter);
        },
      },
    });
  const begin = async (action: string): Promise<number> => {
    const answer = await press(shop.url, action);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/shop']);
    return (await shop.db.order.findFirstOrThrow({ orderBy: { id: 'desc' } })).id;
  };
  /** What the page says of an order, with its buttons. */
  const told = async (id: number): Promise<string> => {
    const { text } = await shop.get('/shop');
    return new RegExp(`<h3>Order ${id}</h3>.*?</li>`, 's').exec(text)![0];
  };

  test('is begun with its job in one transaction, waits for Pay, and says until when', async () => {
    const id = await begin('order-later');
    const [row] = await shop.db.$queryRaw<[{ together: boolean }]>`
      SELECT o.xmin = r.xmin AS together FROM shop.orders o JOIN duework.job_runs r ON r.id = o.job_id::bigint WHERE o.id = ${id}`;
    expect(row.together).toBe(true);
    expect(await told(id)).toMatch(/Placed\. What it buys is being reserved\..*href="\/console\/jobs\/\d+"/s);
    await work();
    expect(await told(id)).toMatch(/Waits for your payment until (\d+ \w+, )?\d\d:\d\d\./);
    await press(shop.url, `orders/${id}/pay`);
    await work();
    expect(await told(id)).toMatch(/Asks for a review on \d+ \w+, \d\d:\d\d\./);
    expect(await told(id)).not.toContain('<form');
    for (const late of ['pay', 'cancel']) {
      const answer = await press(shop.url, `orders/${id}/${late}`);
      expect(answer.headers.get('location')).toBe('/shop?refused=late');
    }
    expect((await shop.get('/shop?refused=late')).text).toContain('paid or cancelled already, so nothing was done');
  });

  test('is cancelled together with its job, once', async () => {
    const id = await begin('order-later-short');
    await work();
    expect(await told(id)).toMatch(/Waits for your payment until (\d+ \w+, )?\d\d:\d\d:\d\d\./);
    expect((await shop.get('/shop')).text).toMatch(/<meta http-equiv="refresh" content="\d+"/);
    const answers = await Promise.all([1, 2].map(() => press(shop.url, `orders/${id}/cancel`)));
    expect(answers.map(({ headers }) => headers.get('location')).sort()).toEqual(['/shop', '/shop?refused=late']);
    expect(await told(id)).toContain('Cancelled. What was reserved for it is back in stock.');
    const { jobId } = await shop.db.order.findUniqueOrThrow({ where: { id } });
    expect((await getJob(shop.db, jobId!)).job.status).toBe('cancelled');
  });

  test('is paid over the API as well, and stays cancelled there', async () => {
    const [id, cancelled] = [await begin('order-later'), await begin('order-later')];
    await work();
    await press(shop.url, `orders/${cancelled}/cancel`);
    expect((await shop.post(`/v1/orders/${id}/pay`)).body).toMatchObject({ order: { status: 'PAID' } });
    expect((await shop.post(`/v1/orders/${cancelled}/pay`)).body).toMatchObject({
      order: { status: 'CANCELLED' },
      job: null,
    });
    await work();
    expect(await told(id)).toContain('Asks for a review on');
  });

  test('that there is not is not found', async () => {
    expect((await press(shop.url, 'orders/x/pay')).status).toBe(404);
    expect((await press(shop.url, 'orders/999999/cancel')).status).toBe(404);
  });
});

test('orders come in by themselves from one press of its button to the next', async () => {
  const count = () => shop.db.order.count();
  const before = await count();
  expect((await shop.get('/shop')).text).toContain('action="/shop/start-orders"');
  await press(shop.url, 'start-orders');
  while ((await count()) < before + 5);
  expect((await shop.get('/shop')).text).toContain('action="/shop/stop-orders"');
  expect((await press(shop.url, 'stop-orders')).headers.get('location')).toBe('/shop');
  const after = await count();
  expect(await shop.db.jobRun.count({ where: { jobType: 'send_invoice' } })).toBeGreaterThanOrEqual(5);
  expect((await shop.get('/shop')).text).toContain('action="/shop/start-orders"');
  expect([await count(), failures]).toEqual([after, []]);
});

test('the page says what was done and where to look, and shows nothing else of its address', async () => {
  const { text, headers } = await shop.get('/shop?did=address&job=812');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-.*form-action 'self'/);
  expect(text).toContain('An order with an address that does not exist was placed and paid.');
  expect(text).toContain('href="/console/jobs/812"');
  expect(text).not.toContain('<script');
  const attack = await shop.get('/shop?did=%3Cb%3Eevil&job=%3Cb%3Eevil&refused=%3Cb%3Eevil');
  expect([attack.status, attack.text.includes('evil')]).toEqual([200, false]);
  expect((await shop.get('/shop?did=order&job=%22%3Eevil')).text).not.toContain('evil');
});

test('an API that is not told to make trouble has no such page and no such buttons', async () => {
  expect((await plain.get('/shop')).status).toBe(404);
  for (const action of [
    'order',
    'sale',
    'refusal',
    'address',
    'death',
    'later',
    'wholesale',
    'accept-mails',
    'order-later',
    'order-later-short',
    'orders/1/pay',
    'orders/1/cancel',
    'start-orders',
    'stop-orders',
  ])
    expect((await press(plain.url, action)).status).toBe(404);
  expect(Object.keys((await plain.get('/openapi.json')).body.paths).filter((path) => path.includes('shop'))).toEqual(
    [],
  );
});

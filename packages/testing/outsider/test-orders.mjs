// The team's test, in the words that both runners share.
import { createTestDatabase } from '@duework/embedded/testing';
import { assertEnqueued, drain, performJob, refuteEnqueued } from '@duework/testing/kit';
import pg from 'pg';
import { asQueryable, catalog, placeOrder, sendReceipt } from './shop.mjs';

export function testOrders({ beforeAll, beforeEach, afterEach, afterAll, test, expect }) {
  let database;
  let client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    process.stdout.write(`database ${database.url} of ${process.env.DUEWORK_TEST_TEMPLATE}\n`);
  });
  beforeEach(() => client.query('BEGIN'));
  afterEach(() => client.query('ROLLBACK'));
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  for (const _ of [1, 2])
    test('an order enqueues its receipt, which is sent', async () => {
      const tx = asQueryable(client);
      await placeOrder(client, 7);
      await assertEnqueued(tx, sendReceipt, { payload: { orderId: 7 }, key: 'receipt:7', count: 1 });
      await refuteEnqueued(tx, sendReceipt, { payload: { orderId: 8 } });
      const sent = [];
      await drain(tx, { catalog, handlers: { send_receipt: ({ payload }) => void sent.push(payload.orderId) } });
      expect(sent).toEqual([7]);
    });

  test('a handler by itself', async () => {
    const performed = await performJob(sendReceipt, { orderId: 7, card: 'x' }, () =>
      Promise.reject(new Error('no mail')),
    );
    expect(performed).toMatchObject({ outcome: 'retry', error: { message: 'no mail' } });
  });

  if (process.env.SHOW_FAILURE)
    test('fails, to show how', async () => {
      await placeOrder(client, 7);
      await assertEnqueued(asQueryable(client), sendReceipt, { payload: { orderId: 8 } });
    });
}

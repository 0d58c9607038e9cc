// Jest, in CommonJS, with nothing transformed
const { createTestDatabase } = require('@duework/embedded/testing');
const { enqueue } = require('duework');
const { drain } = require('duework/testing');
const pg = require('pg');
const { catalog, sendReceipt } = require('./jobs.cjs');

let database;
let pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a job that was enqueued is done, in a database of this file', async () => {
  const sent = [];
  await enqueue(pool, sendReceipt, { orderId: 7 });
  const handlers = { send_receipt: ({ payload }) => void sent.push(payload.orderId) };
  expect(await drain(pool, { catalog, handlers })).toMatchObject({ succeeded: 1, dead: 0 });
  expect(sent).toEqual([7]);
});

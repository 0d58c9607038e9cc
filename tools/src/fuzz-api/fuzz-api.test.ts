import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestDatabase } from '@duework/database/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { fuzzApi } from './fuzz-api.js';

/** A few small jobs are changed before anybody could abort that; the tests of bulk actions do. */
const ENDS_AT_ONCE = 'POST /v1/bulk-actions/{id}/abort';

let database: TestDatabase;
beforeAll(async () => {
  database = await createShopDatabase();
});
afterAll(() => database.drop());

test('every answer of the API is as its document declares, to every caller, and never a 5xx', async () => {
  const report = await fuzzApi({ databaseUrl: database.url, seed: 20_260_131, requests: 1_200 });
  const { answers, problem, operations } = report;
  expect(problem).toBeNull();
  // a route that refuses everybody would keep the promise, too
  const closed = operations.filter(({ name }) => ![...answers.get(name)!.keys()].some((status) => status < 300));
  expect(closed.map(({ name }) => name).filter((name) => name !== ENDS_AT_ONCE)).toEqual([]);
}, 120_000);

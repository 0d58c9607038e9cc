import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestDatabase } from '@duework/database/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { fuzzApi } from './fuzz-api.js';

/** This API has no sign-in, no key ring for links, and no event in its catalog. */
const NOT_HERE = /\/v1\/sign-in|\/approvals\/\{token\}|\/published-events\/\{event\}/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createShopDatabase();
});
afterAll(() => database.drop());

test('every answer of the API is as its document declares, to every caller, and never a 5xx', async () => {
  const report = await fuzzApi({ databaseUrl: database.url, seed: 20_260_131, requests: 2_100 });
  const { answers, problem, operations } = report;
  expect(problem).toBeNull();
  // some twenty to each route; routes that refuse everybody would keep the promise, too; which ones a request got behind is chance
  const served = operations.filter(({ name }) => !NOT_HERE.test(name));
  const open = served.filter(({ name }) => [...answers.get(name)!.keys()].some((status) => status < 300));
  expect(open.length).toBeGreaterThan(served.length * 0.87);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestDatabase } from '@duework/database/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { fuzzApi } from './fuzz-api.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createShopDatabase();
});
afterAll(() => database.drop());

test('every answer of the API is as its document declares, to every caller, and never a 5xx', async () => {
  const report = await fuzzApi({ databaseUrl: database.url, seed: 20_260_131, requests: 1_800 });
  const { answers, problem, operations } = report;
  expect(problem).toBeNull();
  // some twenty to each route; routes that refuse everybody would keep the promise, too; which ones a request got behind is chance
  const open = operations.filter(({ name }) => [...answers.get(name)!.keys()].some((status) => status < 300));
  expect(open.length).toBeGreaterThan(operations.length * 0.85);
});

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
  const { answers, problem, operations } = await fuzzApi({ databaseUrl: database.url, seed: 20_260_131, requests: 1_500 });
  expect(problem).toBeNull();
  // a route that always refuses would keep its promise, too
  const has = (name: string, isMeant: (status: number) => boolean): boolean => [...answers.get(name)!.keys()].some(isMeant);
  const namesOf = (given: typeof operations): string[] => given.map(({ name }) => name);
  expect(namesOf(operations.filter(({ name }) => !has(name, (status) => status < 300)))).toEqual([]);
  const scoped = operations.filter(({ scope }) => scope !== null);
  expect(namesOf(scoped.filter(({ name }) => !has(name, (status) => status === 401)))).toEqual([]);
});

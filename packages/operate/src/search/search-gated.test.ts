import { readQueueDepth } from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { book, each, mail, shared, useGated } from '../testing/use-gated.js';
import { startBulkAction } from '../bulk/start-bulk-action.js';
import { gatedCatalog } from '../testing/gated.js';
import { countJobs } from './count-jobs.js';
import { searchJobs } from './search-jobs.js';

const { db, add, claim, bury, step, heldBy } = useGated();
/** The ids that fit, the oldest first; their count is the same. */
const find = async (filter: string): Promise<string[]> => {
  const ids = (await searchJobs(db(), { filter, limit: 200 })).jobs.map(({ id }) => id).reverse();
  expect(await countJobs(db(), filter)).toMatchObject({ count: ids.length });
  return ids;
};

describe('a filter finds', () => {
  test('what waits at gates, by their kinds', async () => {
    const mails = await add(mail, [1, 2, 3]);
    const books = await add(book, [7, 7]);
    await add(mail, [4], { delay: '1h' });
    await claim();
    expect(await find('held:any')).toEqual([...mails.slice(1), books[1]]);
    expect(await find('held:limit')).toEqual(mails.slice(1));
    expect(await find('held:order,rate')).toEqual([books[1]]);
    expect(await find('held:breaker')).toEqual([]);
    expect(await find('held:any status:dead')).toEqual([]);
    expect(await find('-held:any type:book')).toEqual([books[0]]);
  });

  test('what waits at one gate, and what holds it, a dead run that blocks an order among it', async () => {
    const seven = await add(each, [7, 7]);
    const books = await add(book, [7, 7]);
    expect(await find('gate:limit/each.account/7')).toEqual(seven);
    await bury((await claim()).filter(({ type }) => type === 'book'));
    expect(await find('gate:order/book.account/7')).toEqual(books);
    expect(await find('gate:order/book.account/7 status:dead')).toEqual([books[0]]);
    expect(await find('gate:order/book.account/8')).toEqual([]);
  });

  test('the jobs of a tenant', async () => {
    const [acme, other] = await add(shared, [7, 8]);
    expect(await find('tenant:7')).toEqual([acme]);
    expect(await find('-tenant:7 type:shared')).toEqual([other]);
    expect(await find('tenant:7 held:tenant')).toEqual([acme]);
  });
});

test('a bulk action changes what waits at a gate', async () => {
  const ids = await add(mail, [1, 2, 3]);
  await startBulkAction(db(), gatedCatalog, { verb: 'cancel', filter: 'held:limit' });
  await step();
  expect(await heldBy(ids)).toEqual([null, undefined, undefined]);
});

test('the depth of a queue counts what is held apart', async () => {
  await add(mail, [1, 2, 3]);
  expect(await readQueueDepth(db())).toMatchObject([{ type: 'mail', due: 1, held: 2, isAtLeast: false }]);
  await claim();
  expect(await readQueueDepth(db())).toMatchObject([{ type: 'mail', due: 0, running: 1, held: 2 }]);
});

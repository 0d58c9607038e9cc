import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { waitUntil } from '@duework/http/testing';
import type { Page } from 'playwright-core';
import { useConsole } from './testing/use-console.js';

const app = useConsole({ isWithShards: true });
let key = '';
beforeAll(async () => {
  key = await app.createKey(['enqueue', 'read', 'payloads', 'operate', 'schedules', 'admin']);
});
afterEach(async () => {
  await app.second.restore();
  await waitUntil('both answer', async () => (await app.call<{ status: string }>('GET', '/readyz')).status === 'ready');
});

let orders = 0;
const enqueue = async (shard: string): Promise<string> =>
  (
    await app.call<{ id: string }>('POST', `/v1/jobs?shard=${shard}`, {
      type: 'send_invoice',
      payload: { orderId: 5_000 + ++orders },
      delaySeconds: 7_200,
      idempotencyKey: null,
    })
  ).id;
const row = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id });

test('the filter bar takes shard:b, which narrows the list to the jobs of b', async () => {
  const [first, second] = [await enqueue('a'), await enqueue('b')];
  const page = await app.open('/jobs', { key });
  await row(page, first).waitFor();
  await row(page, second).waitFor();
  const bar = page.getByRole('combobox', { name: 'Filter' });
  await bar.fill('shard:b ');
  await bar.press('Enter');
  await row(page, first).waitFor({ state: 'detached' });
  await row(page, second).waitFor();
  expect(new URL(page.url()).searchParams.get('filter')).toBe('shard:b');
});

test('the list follows the jobs of all shards, and says while one does not answer', async () => {
  const page = await app.open('/jobs', { key });
  await page.getByText('Live', { exact: true }).first().waitFor();
  for (const shard of ['a', 'b']) await row(page, await enqueue(shard)).waitFor();
  app.second.refuse();
  await page.getByText('Shard b does not answer: its part is missing.').waitFor();
  await row(page, await enqueue('a')).waitFor();
  await app.second.restore();
  await page.getByText('Shard b does not answer: its part is missing.').waitFor({ state: 'detached' });
  await row(page, await enqueue('b')).waitFor();
});

test('a pause that was not made in every shard says so until it is closed', async () => {
  await enqueue('a');
  const page = await app.open('/queues', { key });
  app.second.refuse();
  await page
    .getByRole('button', { name: /^Pause/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('Not done in shard b, which did not answer or refused. Do it again.').waitFor();
});

test('the audit names the job that a schedule has become', async () => {
  await app.call('PUT', '/v1/schedules/nights?shard=b', {
    type: 'cleanup_nightly',
    payload: { day: { $due: 'date', addDays: -1 } },
    cron: '30 2 * * *',
    timeZone: 'Europe/Berlin',
  });
  const { id } = await app.call<{ id: string }>('POST', '/v1/schedules/nights/trigger', {});
  expect(id).toMatch(/^b\.\d+$/);
  const page = await app.open('/audit', { key });
  await row(page, 'nights').getByText(id).first().waitFor();
});

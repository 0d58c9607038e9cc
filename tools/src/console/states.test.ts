import { migrateShop } from '@duework/shop/migrate';
import { useOwnServer } from '@duework/testing/fixtures';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findFaults } from './testing/describe-screens.js';
import { useConsole } from './testing/use-console.js';

const server = useOwnServer();
const app = useConsole({
  async createDatabase() {
    await migrateShop({ url: server.url });
    return { url: server.url, drop: () => Promise.resolve() };
  },
});
const bar = (page: Page) => page.getByRole('status');
const row = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
let receipts = 0;
async function enqueue(more: object = {}): Promise<string> {
  const payload = { receiptId: `S-${++receipts}`, email: 'ana@example.com', amountCents: 990, currency: 'EUR' };
  const { id } = await app.call<{ id: string }>('POST', '/v1/jobs', { type: 'send_receipt', payload, ...more });
  return id;
}

describe('a queue in which nothing was enqueued yet', () => {
  test.each([
    'overview',
    'jobs',
    'failures',
    'workflows',
    'batches',
    'schedules',
    'queues',
    'flow',
    'workers',
    'contracts',
    'audit',
  ])('has a state of its own on the screen %s, without a fault', async (name) => {
    const page = await app.open(`/${name}`, {
      key: await app.createKey(['read', 'operate', 'schedules', 'enqueue']),
    });
    await page.locator('main :is(h2, table)').first().waitFor();
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    await findFaults(page);
  });
});

test('while the database is away the page says so and keeps what it shows, and goes on by itself', async () => {
  const id = await enqueue({ delaySeconds: 7_200 });
  const key = await app.createKey(['read']);
  const page = await app.open('/jobs', { key });
  await row(page, id).waitFor();
  server.stop();
  let fresh: Page;
  try {
    await bar(page).getByText('The database does not answer').waitFor();
    await row(page, id).waitFor();
    // who comes now is told what to do, and need not do anything
    fresh = await app.open('/jobs', { key });
    await fresh.getByRole('heading', { name: 'The database does not answer' }).waitFor();
    await fresh.getByText('This page retries automatically').first().waitFor();
    await findFaults(fresh);
  } finally {
    await server.start();
  }
  await row(fresh, id).waitFor();
  await bar(page).getByText('The database does not answer').waitFor({ state: 'detached' });
  const next = await enqueue({ delaySeconds: 7_200 });
  await row(page, next).waitFor();
});

test('a key that expires leads to the sign-in, which says so and then goes on where somebody was', async () => {
  const id = await enqueue({ delaySeconds: 7_200 });
  const page = await app.open(`/jobs?filter=id:${id}`, { key: await app.createKey(['read']) });
  await row(page, id).waitFor();
  await app.pool.query(`
    UPDATE duework.api_keys SET expires_at = now()
    WHERE name = (SELECT k.name FROM duework.api_keys AS k ORDER BY k.created_at DESC LIMIT 1)`);
  await page.getByRole('alert').filter({ hasText: 'has expired' }).waitFor();
  await findFaults(page);
  await page.getByLabel('API key').fill(await app.createKey(['read']));
  await page.keyboard.press('Enter');
  await row(page, id).waitFor();
  expect(page.url()).toBe(`${app.url}/console/jobs?filter=id:${id}`);
});

test('an answer that takes long is told, with what is shown left as it is, and no longer once it has come', async () => {
  const id = await enqueue({ delaySeconds: 7_200 });
  const page = await app.open('/jobs', { key: await app.createKey(['read']) });
  await row(page, id).waitFor();
  const other = await app.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('LOCK TABLE duework.job_runs IN ACCESS EXCLUSIVE MODE');
    await bar(page).getByText('takes longer than usual').waitFor();
    await row(page, id).waitFor();
    await other.query('COMMIT');
  } finally {
    other.release(true);
  }
  await bar(page).getByText('takes longer than usual').waitFor({ state: 'detached' });
});

test('without a network the page says so, keeps what it shows, and goes on by itself', async () => {
  const id = await enqueue({ delaySeconds: 7_200 });
  const page = await app.open('/jobs', { key: await app.createKey(['read']) });
  await row(page, id).waitFor();
  await page.context().setOffline(true);
  await bar(page).getByText('The server does not answer').waitFor();
  await row(page, id).waitFor();
  await page.context().setOffline(false);
  await bar(page).getByText('The server does not answer').waitFor({ state: 'detached' });
  const next = await enqueue({ delaySeconds: 7_200 });
  await row(page, next).waitFor();
});

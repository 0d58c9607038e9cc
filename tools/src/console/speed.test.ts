import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useConsole } from './testing/use-console.js';

const app = useConsole();
/** From a press to the next frame that the browser has painted. */
const LIMIT_MS = 200;
const FIRST_SCREEN_BYTES = 250_000;
const DESKTOP = { viewport: { width: 1440, height: 900 } };
let key = '';

beforeAll(async () => {
  key = await app.createKey(['read', 'payloads', 'operate']);
  const jobs = Array.from({ length: 60 }, (_, n) => ({
    type: 'send_receipt',
    payload: { receiptId: `P-${n}`, email: `ana-${n}@example.com`, amountCents: 990 + n, currency: 'EUR' },
    delaySeconds: 7_200,
  }));
  await app.call('POST', '/v1/jobs/batch', { jobs });
});

/** Does something with a page, and returns how long the slowest of its interactions took to the next paint. */
async function slowest(page: Page, act: () => Promise<void>): Promise<{ readonly ms: number; readonly of: string }> {
  await page.evaluate(OBSERVE);
  await act();
  return page.evaluate<{ ms: number; of: string }>(READ_SLOWEST);
}

test(`jobs with a page of 50 answer every press within ${LIMIT_MS} ms`, async () => {
  const page = await app.open('/jobs', { key, context: DESKTOP });
  await page.getByRole('row').nth(50).waitFor();
  const found = await slowest(page, async () => {
    for (const press of ['j', 'x', 'j', 'x', 'k', 'x']) await page.keyboard.press(press);
    await page.getByRole('checkbox').first().click();
    await page.getByRole('checkbox').first().click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Worker' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('type:send_receipt status:queued', { delay: 20 });
    await page.keyboard.press('Enter');
    await page.getByRole('row').nth(50).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'dead', exact: true }).click();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('row').nth(50).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('over', { delay: 20 });
    await page.keyboard.press('Escape');
  });
  expect(found).toMatchObject({ ms: expect.any(Number), of: expect.any(String) });
  expect([found.of, found.ms <= LIMIT_MS, found.ms]).toEqual([found.of, true, found.ms]);
});

test(`the overview answers every press within ${LIMIT_MS} ms`, async () => {
  const page = await app.open('/overview', { key, context: DESKTOP });
  await page.getByRole('button', { name: 'send_receipt' }).waitFor();
  const found = await slowest(page, async () => {
    for (const range of ['Day', '90 days', 'Hour', 'Day']) {
      await page.getByRole('button', { name: range, exact: true }).click();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'send_receipt' }).click();
    await page.getByRole('button', { name: 'Failures as a table' }).click();
    await page.getByRole('region', { name: 'Failures' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('jobs', { delay: 20 });
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.getByRole('row').nth(50).waitFor();
  });
  expect([found.of, found.ms <= LIMIT_MS, found.ms]).toEqual([found.of, true, found.ms]);
});

describe(`a first screen needs at most ${FIRST_SCREEN_BYTES / 1_000} kB of scripts and style sheets, compressed`, () => {
  test.each(['/overview', '/jobs', '/failures', '/schedules', '/queues', '/workers', '/contracts', '/audit'])(
    '%s',
    async (path) => {
      const page = await app.open(path, { key });
      await page.locator('main :is(table, dl, h2)').first().waitFor();
      const bytes = await page.evaluate<number>(SUM_BYTES);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(FIRST_SCREEN_BYTES);
    },
  );
});

const OBSERVE = `
  globalThis.seen = [];
  globalThis.observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16 });`;

/** What took less than 16 ms is not told by the browser. */
const READ_SLOWEST = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))).then(() => {
  const entries = [...seen, ...observer.takeRecords()].filter(({ interactionId }) => interactionId > 0);
  const [worst] = entries.sort((a, b) => b.duration - a.duration);
  return worst === undefined ? { ms: 0, of: 'nothing' }
    : { ms: worst.duration, of: worst.name + ' ' + (worst.target?.outerHTML.slice(0, 80) ?? '') };
})`;

const SUM_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(js|css)$/.test(new URL(name).pathname))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

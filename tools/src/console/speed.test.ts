import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useConsole } from './testing/use-console.js';

const app = useConsole();
/** From a press to the next frame that the browser has painted. */
const LIMIT_MS = 200;
/** Colours the dot; no part of the console listens to it. */
const DOT_KEY = 'F9';
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

interface Watched {
  readonly presses: number;
  /** What a press took at most that only colours a dot: that much a busy machine takes for any press. */
  readonly dotMs: number;
  /** What took longer than that and the limit together to the next paint. */
  readonly slow: readonly string[];
}

/** Does something with a page, and tells which of its interactions were slow. */
async function watch(page: Page, acts: readonly (() => Promise<unknown>)[]): Promise<Watched> {
  await page.evaluate(OBSERVE);
  for (const act of acts) {
    await act();
    await page.keyboard.press(DOT_KEY);
  }
  return page.evaluate<Watched>(`(${READ})(${LIMIT_MS})`);
}

test(`jobs with a page of 50 answer every press within ${LIMIT_MS} ms`, async () => {
  const page = await app.open('/jobs', { key, context: DESKTOP });
  await page.getByRole('row').nth(50).waitFor();
  const rows = () => page.getByRole('row').nth(50).waitFor();
  const found = await watch(page, [
    ...['j', 'x', 'j', 'x', 'k', 'x'].map((key) => () => page.keyboard.press(key)),
    () => page.getByRole('checkbox').first().click(),
    () => page.getByRole('checkbox').first().click(),
    () => page.getByRole('button', { name: 'Columns' }).click(),
    () => page.getByRole('menuitemcheckbox', { name: 'Worker' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press('/'),
    () => page.keyboard.type('type:send_receipt status:queued', { delay: 20 }),
    () => page.keyboard.press('Enter'),
    rows,
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'dead', exact: true }).click(),
    () => page.getByRole('button', { name: 'all', exact: true }).click(),
    rows,
    () => page.keyboard.press('Control+k'),
    () => page.keyboard.type('over', { delay: 20 }),
    () => page.keyboard.press('Escape'),
  ]);
  expect(found.presses).toBeGreaterThan(10);
  expect(found).toMatchObject({ slow: [] });
});

test(`the overview answers every press within ${LIMIT_MS} ms`, async () => {
  const page = await app.open('/overview', { key, context: DESKTOP });
  await page.getByRole('button', { name: 'send_receipt' }).waitFor();
  const found = await watch(page, [
    ...['Day', '90 days', 'Hour', 'Day'].map((range) => async () => {
      await page.getByRole('button', { name: range, exact: true }).click();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    }),
    () => page.getByRole('button', { name: 'send_receipt' }).click(),
    () => page.getByRole('button', { name: 'Failures as a table' }).click(),
    () => page.getByRole('region', { name: 'Failures' }).waitFor(),
    () => page.keyboard.press('Control+k'),
    () => page.keyboard.type('jobs', { delay: 20 }),
    () => page.keyboard.press('Escape'),
    async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('j');
    },
    () => page.getByRole('row').nth(50).waitFor(),
  ]);
  expect(found.presses).toBeGreaterThan(10);
  expect(found).toMatchObject({ slow: [] });
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

/** Presses are counted by the page; how long one took is told by the browser where it was 16 ms or more. */
const OBSERVE = `
  globalThis.presses = 0;
  const dot = document.body.appendChild(document.createElement('i'));
  Object.assign(dot.style, { position: 'fixed', left: 0, top: 0, width: '8px', height: '8px' });
  globalThis.dots = new Set();
  globalThis.seen = [];
  globalThis.observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16 });
  for (const name of ['keydown', 'keyup', 'pointerdown']) addEventListener(name, (event) => {
    if (event.key === '${DOT_KEY}') {
      dots.add(event.timeStamp);
      dot.style.background = name === 'keyup' ? 'red' : 'blue';
    } else if (name !== 'keyup') presses++;
  }, { capture: true });`;

const READ = `async (limitMs) => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  seen.push(...observer.takeRecords());
  const isDot = ({ startTime }) => [...dots].some((at) => Math.abs(at - startTime) < 0.5);
  const dotMs = Math.max(0, ...seen.filter(isDot).map(({ duration }) => duration));
  const slow = seen.filter((one) => one.interactionId > 0 && !isDot(one) && one.duration > limitMs + dotMs)
    .map(({ name, duration, target }) => name + ' ' + duration + ' ms ' + (target?.outerHTML.slice(0, 80) ?? ''));
  return { presses, dotMs, slow };
}`;

const SUM_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(js|css)$/.test(new URL(name).pathname))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

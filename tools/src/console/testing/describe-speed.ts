import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { TestConsole } from './use-console.js';

/** How long the page is busy with a press, and how much a first screen loads. */
export function describeSpeed(app: TestConsole): void {
  describe('speed', () => {
    /** Processor time that the page's thread may take for a press: handlers, rendering, layout and paint. */
    const LIMIT_MS = 200;
    /** What `WORK` takes of it on a quiet machine, for which the limit is meant. */
    const WORK_MS = 140;
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

    type Act = () => Promise<unknown>;

    interface Watched {
      readonly presses: number;
      /** Processor time of the page's thread in all, ms. */
      readonly busyMs: number;
      /** Those acts, by their place in the list, that took the page's thread longer than the limit; and in words. */
      readonly slow: ReadonlyMap<number, string>;
    }

    /** What else runs on a machine only ever adds: an act counts by the least that it takes in so many rounds. */
    const ROUNDS = 3;

    /** The acts that took too long in each round, on a page of its own; no round is begun if there is none. */
    async function findSlow(open: () => Promise<Page>, actsOf: (page: Page) => readonly Act[]): Promise<string[]> {
      let slow: ReadonlyMap<number, string> | null = null;
      for (let round = 0; round < ROUNDS && slow?.size !== 0; round++) {
        const page = await open();
        const found = await watch(page, actsOf(page));
        await page.goto('about:blank');
        expect(found.presses).toBeGreaterThan(10);
        expect(found.busyMs).toBeGreaterThan(0);
        const before: ReadonlyMap<number, string> = slow ?? found.slow;
        slow = new Map([...found.slow].filter(([place]) => before.has(place)));
      }
      return [...slow!.values()];
    }

    /**
     * Does something with a page, and tells which act kept its thread busy for long. Counted is the thread's own processor
     * time until the second frame after the act: a machine that lets the browser wait does not make the page slower. A
     * processor that others share does, so the same work, done before, after, and behind each act that took long, tells how
     * much longer everything takes.
     */
    async function watch(page: Page, acts: readonly Act[]): Promise<Watched> {
      const browser = await page.context().newCDPSession(page);
      await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.evaluate(COUNT_PRESSES);
      const first = await readBusyMs(browser);
      const slowness = await readSlowness(page, browser);
      const acted: {
        readonly place: number;
        readonly words: string;
        readonly ms: number;
        readonly slowness: number;
      }[] = [];
      for (const [place, act] of acts.entries()) {
        const before = await readBusyMs(browser);
        await act();
        await page.evaluate(TWO_FRAMES);
        const ms = (await readBusyMs(browser)) - before;
        const words = `act ${place} (${String(act).slice(0, 80)}): ${Math.round(ms)} ms`;
        acted.push({ place, words, ms, slowness: ms > LIMIT_MS ? await readSlowness(page, browser) : 1 });
      }
      const least = Math.max(1, slowness, await readSlowness(page, browser));
      const limitOf = (one: { readonly slowness: number }): number => LIMIT_MS * Math.max(least, one.slowness);
      const slow = new Map(
        acted
          .filter((one) => one.ms > limitOf(one))
          .map((one) => [one.place, `${one.words} of ${Math.round(limitOf(one))}`]),
      );
      return { presses: await page.evaluate<number>('presses'), busyMs: (await readBusyMs(browser)) - first, slow };
    }

    /** How many times as long as on a quiet machine the page's thread takes for the same work. */
    async function readSlowness(page: Page, browser: CDPSession): Promise<number> {
      const before = await readBusyMs(browser);
      await page.evaluate(WORK);
      return ((await readBusyMs(browser)) - before) / WORK_MS;
    }

    async function readBusyMs(browser: CDPSession): Promise<number> {
      const { metrics } = await browser.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
    }

    /** Found by its tag: to find it by its role, Playwright computes the roles of all elements, on the page's own thread. */
    const lastRow = (page: Page): Locator => page.locator('tr').nth(50);

    /** Each character of a text as a press of its own. */
    const type = (page: Page, text: string): Act[] => text.split('').map((one) => () => page.keyboard.press(one));

    test(`jobs with a page of 50 take at most ${LIMIT_MS} ms of the processor for a press`, async () => {
      const open = async () => {
        const page = await app.open('/jobs', { key, context: DESKTOP, isNew: true });
        await lastRow(page).waitFor();
        return page;
      };
      const actsOf = (page: Page): Act[] => [
        ...['j', 'x', 'j', 'x', 'k', 'x'].map((key) => () => page.keyboard.press(key)),
        () => page.getByRole('checkbox').first().click(),
        () => page.getByRole('checkbox').first().click(),
        () => page.getByRole('button', { name: 'Columns' }).click(),
        () => page.getByRole('menuitemcheckbox', { name: 'Worker' }).click(),
        () => page.keyboard.press('Escape'),
        () => page.keyboard.press('/'),
        ...type(page, 'type:send_receipt status:queued'),
        () => page.keyboard.press('Enter'),
        () => lastRow(page).waitFor(),
        () => page.keyboard.press('Escape'),
        () => page.getByRole('button', { name: 'dead', exact: true }).click(),
        () => page.getByRole('button', { name: 'all', exact: true }).click(),
        () => lastRow(page).waitFor(),
        () => page.keyboard.press('Control+k'),
        ...type(page, 'over'),
        () => page.keyboard.press('Escape'),
      ];
      expect(await findSlow(open, actsOf)).toEqual([]);
    });

    test(`the overview takes at most ${LIMIT_MS} ms of the processor for a press`, async () => {
      const open = async () => {
        const page = await app.open('/overview', { key, context: DESKTOP, isNew: true });
        await page.getByRole('button', { name: 'send_receipt' }).waitFor();
        return page;
      };
      const actsOf = (page: Page): Act[] => [
        ...['Day', '90 days', 'Hour', 'Day'].map((range) => async () => {
          await page.getByRole('button', { name: range, exact: true }).click();
          await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
        }),
        () => page.getByRole('button', { name: 'send_receipt' }).click(),
        () => page.getByRole('button', { name: 'Failures as a table' }).click(),
        () => page.getByRole('region', { name: 'Failures' }).waitFor(),
        () => page.keyboard.press('Control+k'),
        ...type(page, 'jobs'),
        () => page.keyboard.press('Escape'),
        async () => {
          await page.keyboard.press('g');
          await page.keyboard.press('j');
        },
        () => lastRow(page).waitFor(),
      ];
      expect(await findSlow(open, actsOf)).toEqual([]);
    });

    describe(`a first screen needs at most ${FIRST_SCREEN_BYTES / 1_000} kB of scripts and style sheets, compressed`, () => {
      test.each([
        '/overview',
        '/alerts',
        '/jobs',
        '/failures',
        '/workflows',
        '/batches',
        '/schedules',
        '/queues',
        '/flow',
        '/workers',
        '/contracts',
        '/audit',
      ])('%s', async (path) => {
        const page = await app.open(path, { key });
        await page.locator('main :is(table, dl, h2, section)').first().waitFor();
        const bytes = await page.evaluate<number>(SUM_BYTES);
        expect(bytes).toBeGreaterThan(50_000);
        expect(bytes).toBeLessThanOrEqual(FIRST_SCREEN_BYTES);
      });
    });

    const COUNT_PRESSES = `
  globalThis.presses = 0;
  for (const name of ['keydown', 'pointerdown']) addEventListener(name, () => presses++, { capture: true });`;

    /** Text that is parsed and laid out, and numbers that are added, as a page's own work is. */
    const WORK = `(() => {
  const place = document.body.appendChild(document.createElement('div'));
  let sum = 0;
  for (let round = 0; round < 20; round++) {
    place.innerHTML = '<p>' + 'some <b>words</b> '.repeat(200) + '</p>';
    sum += place.offsetHeight;
    for (let n = 0; n < 1e6; n++) sum += n % 7;
  }
  place.remove();
  return sum;
})()`;

    const TWO_FRAMES = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))`;

    const SUM_BYTES = `performance.getEntriesByType('resource')
  .filter(({ name }) => /\\.(js|css)$/.test(new URL(name).pathname))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;
  });
}

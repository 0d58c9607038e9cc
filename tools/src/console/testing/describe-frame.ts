import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAxeFaults } from './find-axe-faults.js';
import type { TestConsole } from './use-console.js';

/** What is around every screen: menu, focus, what a screen reader is told, themes. */
export function describeFrame(app: TestConsole): void {
  describe('the frame', () => {
    const SCREENS = [
      'Overview',
      'Alerts',
      'Jobs',
      'Failures',
      'Workflows',
      'Batches',
      'Schedules',
      'Queues',
      'Limits',
      'Workers',
      'Contracts',
      'Audit',
    ];
    const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
    let key = '';
    let later = '';
    beforeAll(async () => {
      key = await app.createKey(['read', 'payloads', 'operate', 'schedules', 'admin']);
      later = await enqueue('example.com', { delaySeconds: 7_200 });
      await app.call('PUT', '/v1/schedules/nights', {
        type: 'cleanup_nightly',
        payload: { day: { $due: 'date', addDays: -1 } },
        cron: '30 2 * * *',
        timeZone: 'Europe/Berlin',
      });
    });

    const WEBHOOK = { eventId: 'evt_1', url: 'http://127.0.0.1:9/hooks/1', event: 'order.paid', body: { order: 812 } };
    let receipts = 0;
    async function enqueue(domain: string, more: object = {}): Promise<string> {
      const payload = { receiptId: `F-${++receipts}`, email: `ana@${domain}`, amountCents: 990, currency: 'EUR' };
      return (await app.call<{ id: string }>('POST', '/v1/jobs', { type: 'send_receipt', payload, ...more })).id;
    }
    const link = (page: Page, name: string) =>
      page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });
    const shown = (page: Page, screen: string) =>
      page.getByRole('heading', { name: screen, level: 1 }).waitFor({ state: 'attached' });
    /** What has the focus, as a screen reader would name it. */
    const focused = (page: Page) =>
      page.evaluate<string>(`(() => {
    const { activeElement: one } = document;
    return one === document.body ? 'nothing' : one.id === 'main' ? 'the content'
      : (one.getAttribute('aria-label') ?? one.textContent).trim();
  })()`);

    describe('on a phone', () => {
      test('all screens are in sight behind one button, and none is wider than the phone', async () => {
        const page = await app.open('/overview', { key, context: PHONE });
        for (const screen of SCREENS) {
          await page.getByRole('button', { name: /^Screens:/ }).tap();
          const boxes = await Promise.all(SCREENS.map((name) => link(page, name).boundingBox()));
          for (const box of boxes) {
            expect(box).not.toBeNull();
            expect([box!.x >= 0, box!.x + box!.width <= 320, box!.y >= 0, box!.y + box!.height <= 640]).not.toContain(
              false,
            );
            // large enough for a finger
            expect(box!.height).toBeGreaterThanOrEqual(44);
          }
          await link(page, screen).tap();
          await shown(page, screen);
          await page.getByRole('button', { name: `Screens: ${screen}`, expanded: false }).waitFor();
          expect([screen, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([screen, 320]);
        }
      });

      test('the keys unfold the screens, go through them, and Escape gives the focus back', async () => {
        const page = await app.open('/queues', { key, context: PHONE });
        const button = page.getByRole('button', { name: 'Screens: Queues' });
        await button.focus();
        await page.keyboard.press('Enter');
        expect(await findAxeFaults(page)).toEqual([]);
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('Overview');
        await page.keyboard.press('Escape');
        expect(await focused(page)).toBe('Screens: Queues');
        expect(await link(page, 'Jobs').isVisible()).toBe(false);
      });
    });

    describe('the focus', () => {
      test('goes through the frame in the order in which it is seen, and a link skips it', async () => {
        const page = await app.open('/queues', { key });
        await shown(page, 'Queues');
        const order: string[] = [];
        for (let n = 0; n < 18; n++) {
          await page.keyboard.press('Tab');
          order.push(await focused(page));
        }
        expect(order.slice(0, 15)).toEqual([
          'Skip to the content',
          'Duework',
          expect.stringMatching(/^Go to/),
          ...SCREENS,
        ]);
        expect(order[15]).toMatch(/^Signed in as/);
        expect(order[16]).toBe('Show the keys');
        expect(order[17]).not.toBe('nothing');
        const skipping = await app.open('/queues', { key });
        await shown(skipping, 'Queues');
        await skipping.keyboard.press('Tab');
        await skipping.keyboard.press('Enter');
        expect(await focused(skipping)).toBe('the content');
      });

      test('is back where it was after a menu, a window, and a window that a menu has opened', async () => {
        const page = await app.open('/jobs', { key });
        const settings = page.getByRole('button', { name: /^Signed in as/ });
        await settings.focus();
        for (const [open, role] of [
          ['Enter', 'menu'],
          ['?', 'dialog'],
          ['Control+k', 'dialog'],
        ] as const) {
          await page.keyboard.press(open);
          await page.getByRole(role).waitFor();
          await page.keyboard.press('Escape');
          await page.getByRole(role).waitFor({ state: 'detached' });
          expect([open, await focused(page)]).toEqual([open, expect.stringMatching(/^Signed in as/)]);
        }
        await page.getByRole('checkbox', { name: new RegExp(later) }).check();
        const more = page.getByRole('button', { name: 'More …' });
        await more.click();
        await page.getByRole('menuitem', { name: 'Change priority' }).click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await focused(page)).toBe('More …');
      });

      test.each([
        ['/queues', 'Pause the queue default'],
        ['/schedules/nights', 'Run now'],
        ['/schedules/nights', 'Pause'],
        ['/schedules/nights', 'Edit'],
      ])('is back after the window of %s: %s', async (path, name) => {
        const page = await app.open(path, { key });
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await focused(page)).toBe(name);
      });

      test('is in the content where what had it is gone: with the screen before, or because it was done', async () => {
        const id = await enqueue('example.com', { delaySeconds: 7_200 });
        const page = await app.open('/jobs', { key });
        const content = page.locator('#main:focus');
        await page.getByRole('link', { name: id }).click();
        await page.getByRole('heading', { name: id }).waitFor();
        await content.waitFor();
        await page.getByRole('button', { name: 'Cancel', exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
        await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
        await content.waitFor();
        await page.keyboard.press('Control+k');
        await page.keyboard.type('queues');
        await page.keyboard.press('Enter');
        await shown(page, 'Queues');
        await content.waitFor();
      });
    });

    test('the screen that is shown is the current one, also where one of its things is shown', async () => {
      const page = await app.open(`/jobs/${later}`, { key });
      await page.getByRole('heading', { name: later }).waitFor();
      const current = page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current=page]');
      expect(await current.allTextContents()).toEqual(['Jobs']);
      await link(page, 'Audit').click();
      await shown(page, 'Audit');
      expect(await current.allTextContents()).toEqual(['Audit']);
    });

    test('a screen reader is told where a navigation has led to', async () => {
      const page = await app.open('/overview', { key });
      await link(page, 'Workers').click();
      await page.getByRole('status').filter({ hasText: 'Workers · Duework' }).waitFor({ state: 'attached' });
    });

    describe('what is wrong', () => {
      test('moves under no pointer: what is new is counted, what is over keeps its place; and screen readers are told', async () => {
        await app.call('POST', '/v1/types/send_receipt/pause', { reason: 'the printer' });
        await enqueue('example.com');
        // no administrator: what the doctor finds is not of this test
        const page = await app.open('/overview', { key: await app.createKey(['read']) });
        const receipts = page.getByRole('listitem').filter({ hasText: 'The type send_receipt is paused' });
        await receipts.getByRole('link').hover();
        const before = await receipts.boundingBox();
        await app.call('POST', '/v1/types/deliver_webhook/pause', { reason: 'the receiver' });
        await app.call('POST', '/v1/jobs', { type: 'deliver_webhook', payload: WEBHOOK });
        await page.getByRole('button', { name: 'Something else is wrong' }).waitFor();
        await page.getByRole('status').filter({ hasText: '2 things are wrong' }).waitFor({ state: 'attached' });
        expect(await receipts.boundingBox()).toEqual(before);
        await app.call('POST', '/v1/types/send_receipt/resume', {});
        await receipts.filter({ hasText: 'Over: ' }).waitFor();
        expect(await receipts.boundingBox()).toEqual(before);
        await page.mouse.move(700, 5);
        await page.getByRole('listitem').filter({ hasText: 'The type deliver_webhook is paused' }).waitFor();
        await receipts.waitFor({ state: 'detached' });
        await app.call('POST', '/v1/types/deliver_webhook/resume', {});
      });
    });

    test('no job moves while a pointer is on its way from the rows to the button that shows newer ones', async () => {
      const page = await app.open('/jobs?filter=status:queued', { key });
      const rows = page.locator('tbody').getByRole('row');
      await rows.first().hover();
      const first = await rows.first().innerText();
      await enqueue('example.com', { delaySeconds: 7_200 });
      const newer = page.getByRole('status').getByRole('button', { name: /newer/ });
      await newer.hover();
      expect(await rows.first().innerText()).toBe(first);
      await newer.click();
      await newer.waitFor({ state: 'detached' });
      expect(await rows.first().innerText()).not.toBe(first);
    });

    test('who wants less motion gets none, also while a job runs', async () => {
      const id = await enqueue('slow.example', { priority: 0 });
      const page = await app.open(`/jobs/${id}`, { key });
      await page.getByText('running', { exact: true }).first().waitFor();
      expect(await page.evaluate(RUNNING_ANIMATIONS)).toEqual([]);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect(await page.evaluate(RUNNING_ANIMATIONS)).toEqual([]);
    });

    test.each([
      ['dark', 'light'],
      ['light', 'dark'],
    ] as const)('a %s page on a %s system never shows the other theme while it loads', async (theme, colorScheme) => {
      const page = await app.open('/jobs', { key, context: { colorScheme }, isNew: true });
      await page.evaluate(`localStorage.setItem('duework.theme', '${theme}')`);
      await page.addInitScript(RECORD_FRAMES);
      for (const path of ['/jobs', '/overview']) {
        await page.goto(`${app.url}/console${path}`);
        await page.locator('main :is(table, dl, h2)').first().waitFor();
        expect(await page.evaluate<unknown>('[...frames]')).toEqual([`${theme} ${theme}`]);
      }
    });

    /** Every frame from the first that has a page to draw: the theme of the page, and that of the canvas behind it. */
    const RECORD_FRAMES = `
  globalThis.frames = new Set();
  (function record() {
    if (document.body !== null) frames.add(document.documentElement.dataset.theme + ' '
      + document.querySelector('meta[name=color-scheme]').content);
    requestAnimationFrame(record);
  })();`;

    const RUNNING_ANIMATIONS = `document.getAnimations().filter(({ playState }) => playState === 'running')
  .map(({ effect }) => effect.target?.outerHTML.slice(0, 160))`;
  });
}

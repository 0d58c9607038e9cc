import { afterEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasFocus, tabTo } from './tab-to.js';
import type { TestConsole } from './use-console.js';

/** From a form to a retry that is taken back, once with a mouse and once without. */
export function describeJourney(app: TestConsole): void {
  let journeys = 0;
  const signIn = async (path: string): Promise<Page> =>
    app.open(path, { key: await app.createKey(['read', 'payloads', 'enqueue', 'operate']) });
  const receipt = (id: string) => ({ receiptId: id, email: 'ana@held.example', amountCents: 990, currency: 'EUR' });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialogButton = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });
  const status = (page: Page, word: string) => page.locator('main header').getByText(word, { exact: true }).waitFor();
  const count = async (filter: string): Promise<number> =>
    (await app.call<{ count: number }>('GET', `/v1/jobs/count?filter=${encodeURIComponent(filter)}`)).count;

  /** Two more like the one from the form, all refused with an error of their own. */
  async function die(ids: string[], error: string): Promise<void> {
    for (const n of [2, 3]) {
      const { id } = await app.call<{ id: string }>('POST', '/v1/jobs', {
        type: 'send_receipt',
        payload: receipt(`J-${journeys}-${n}`),
        maxAttempts: 1,
      });
      ids.push(id);
    }
    app.mail.refuseHeld(550, error);
    for (const id of ids) await app.call('GET', `/v1/jobs/${id}?wait=30`);
    // what is retried waits, so that there is something to take back
    await app.call('POST', '/v1/queues/default/pause', { reason: 'the mail server is down' });
  }

  describe('from a form to a retry that is taken back', () => {
    afterEach(async () => {
      app.mail.refuseHeld(550, 'The test is over');
      await app.call('POST', '/v1/queues/default/resume', {});
    });

    test('a job is enqueued, seen running and dead, found by its error, retried with others after a preview, and that is undone', async () => {
      const error = `The mailbox is closed, says server m${++journeys}`;
      app.mail.hold();
      const page = await signIn('/contracts');
      await page.getByRole('link', { name: 'send_receipt' }).click();
      await page.getByRole('link', { name: 'Enqueue', exact: true }).click();
      for (const [name, value] of Object.entries(receipt(`J-${journeys}-1`)))
        await page.getByLabel(name).fill(String(value));
      await page.getByLabel(/attempts/i).fill('1');
      await button(page, 'Enqueue').click();
      await page.waitForURL(/\/console\/jobs\/\d+$/);
      const ids = [/\d+$/.exec(page.url())![0]];
      // without a reload, by the events of the job
      await status(page, 'running');
      await die(ids, error);
      await status(page, 'dead');

      await page.getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByRole('combobox', { name: 'Filter' }).fill(`status:dead "${error}"`);
      await page.keyboard.press('Enter');
      for (const id of ids) await page.getByRole('link', { name: id }).waitFor();
      await page.getByRole('checkbox', { name: `Select job ${ids[0]}` }).click();
      await button(page, 'Select all 3 that match').click();
      await button(page, 'Retry').click();
      await page.getByText('3 jobs would be changed').waitFor();
      await page.getByLabel('Why?').fill('the mailbox is open again');
      await dialogButton(page, 'Retry 3 jobs').click();
      await page.getByText('3 jobs retried').waitFor();
      expect(await count(`id:${ids.join()} status:queued`)).toBe(3);
      await button(page, 'Undo').click();
      await page.getByText('3 jobs restored').waitFor();
      for (const id of ids) await page.getByRole('link', { name: id }).waitFor();
      expect(await count(`id:${ids.join()} status:dead "${error}"`)).toBe(3);
    });

    test('with the keyboard alone, from the first page on', async () => {
      const error = `The mailbox is closed, says server k${++journeys}`;
      app.mail.hold();
      const page = await signIn('/');
      const press = async (...keys: string[]): Promise<void> => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await page.getByRole('heading', { level: 1 }).waitFor();
      await press('g', 'c');
      await tabTo(page, page.locator('main').getByRole('link', { name: 'send_receipt' }));
      await press('Enter');
      await tabTo(page, page.getByRole('link', { name: 'Enqueue', exact: true }));
      await press('Enter');
      for (const [name, value] of Object.entries(receipt(`J-${journeys}-1`))) {
        await tabTo(page, page.getByLabel(name));
        await page.keyboard.type(String(value));
      }
      await tabTo(page, page.getByLabel(/attempts/i));
      await page.keyboard.type('1');
      await press('Enter');
      await page.waitForURL(/\/console\/jobs\/\d+$/);
      const ids = [/\d+$/.exec(page.url())![0]];
      await status(page, 'running');
      await die(ids, error);
      await status(page, 'dead');

      await press('g', 'j');
      const filter = page.getByRole('combobox', { name: 'Filter' });
      await filter.waitFor();
      await press('/');
      await page.keyboard.type(`status:dead "${error}"`);
      await press('Enter');
      await page.getByRole('link', { name: ids[0]! }).waitFor();
      await press('Escape', 'j', 'x');
      const all = button(page, 'Select all 3 that match');
      await tabTo(page, all);
      await press('Enter');
      const retry = button(page, 'Retry');
      await tabTo(page, retry);
      await press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Retry these jobs?' });
      await dialog.waitFor();
      // the dialog has the focus, and gives it back
      await press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await hasFocus(retry)).toBe(true);
      await press('Enter');
      await page.getByText('3 jobs would be changed').waitFor();
      await tabTo(page, page.getByLabel('Why?'));
      await page.keyboard.type('the mailbox is open again');
      await tabTo(page, dialogButton(page, 'Retry 3 jobs'));
      await press('Enter');
      await page.getByText('3 jobs retried').waitFor();
      await tabTo(page, button(page, 'Undo'));
      await press('Enter');
      await page.getByText('3 jobs restored').waitFor();
      expect(await count(`id:${ids.join()} status:dead "${error}"`)).toBe(3);
    });
  });
}

import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestConsole } from './use-console.js';

/** Signing in with a key, and jobs from the list of them: found, retried, many at once, enqueued. */
export function describeJobs(app: TestConsole): void {
  let receipts = 0;
  /** Enqueues a receipt to a customer of `domain`; the mail server refuses some of them. */
  async function enqueue(domain: string, more: object = {}): Promise<string> {
    const payload = { receiptId: `R-${++receipts}`, email: `ana@${domain}`, amountCents: 990, currency: 'EUR' };
    const { id } = await app.call<{ id: string }>('POST', '/v1/jobs', { type: 'send_receipt', payload, ...more });
    return id;
  }
  /** Waits until a job has ended. */
  const ended = (id: string) => app.call<{ status: string }>('GET', `/v1/jobs/${id}?wait=30`);
  const filterOf = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
  const row = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });

  describe('signing in', () => {
    test('asks for a key, refuses a wrong one with the reason, and goes on where somebody wanted to go', async () => {
      const key = await app.createKey(['read']);
      const page = await app.open('/jobs?filter=status:dead');
      await page.getByLabel('API key').fill('dwk_wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'is not known' }).waitFor();
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'dead', pressed: true }).waitFor();
      expect(page.url()).toBe(`${app.url}/console/jobs?filter=status:dead`);
    });

    test('a key that is revoked while the page is open leads back to it, and says so', async () => {
      const key = await app.createKey(['read']);
      const page = await app.open('/jobs', { key });
      await filterOf(page).waitFor();
      await app.revoke(key);
      await page.getByRole('alert').filter({ hasText: 'revoked' }).waitFor();
    });

    test('a key that may not read is told which scope is missing', async () => {
      const page = await app.open('/jobs', { key: await app.createKey(['enqueue']) });
      await page.getByRole('alert').filter({ hasText: 'read' }).waitFor();
    });
  });

  describe('jobs', () => {
    test('one that is enqueued appears, runs and succeeds without a reload', async () => {
      const page = await app.open('/jobs', { key: await app.createKey(['read']) });
      await filterOf(page).waitFor();
      const id = await enqueue('example.com');
      await row(page, id).getByText('succeeded').waitFor();
    });

    test('one that died is found by its error, retried with a reason, and the audit tells who and why', async () => {
      const id = await enqueue('gone.example', { maxAttempts: 1 });
      await ended(id);
      const page = await app.open('/jobs', { key: await app.createKey(['read', 'payloads', 'operate']) });
      await filterOf(page).fill('status:dead "no such mailbox"');
      await page.keyboard.press('Enter');
      await row(page, id).getByRole('link').click();
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByLabel('Why?').fill('the mailbox is back');
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
      await page.getByText('It is due now.').waitFor();
      const { entries } = await app.call<{ entries: object[] }>('GET', '/v1/audit');
      expect(entries[0]).toMatchObject({ by: expect.stringMatching(/^key:console-/), reason: 'the mailbox is back' });
    });

    test('a wrong filter is marked where it is wrong, and mended with one click', async () => {
      const page = await app.open('/jobs', { key: await app.createKey(['read']) });
      await filterOf(page).fill('type:send_receipt stauts:dead');
      await page.keyboard.press('Enter');
      expect(await filterOf(page).getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('button', { name: 'Did you mean status:?' }).click();
      await page.waitForURL('**/console/jobs?filter=type:send_receipt+status:dead');
    });
  });

  describe('many jobs', () => {
    /** Three jobs that have died of an error of their own. */
    async function die(): Promise<readonly string[]> {
      const ids = await Promise.all([1, 2, 3].map(() => enqueue('gone.example', { maxAttempts: 1 })));
      await Promise.all(ids.map(ended));
      return ids;
    }
    const countOf = async (filter: string): Promise<number> =>
      (await app.call<{ count: number }>('GET', `/v1/jobs/count?filter=${encodeURIComponent(filter)}`)).count;

    test('that were selected get another priority after a preview, and the undo gives it back', async () => {
      const ids = await Promise.all([1, 2, 3].map(() => enqueue('example.com', { delaySeconds: 3600 })));
      const filter = `id:${ids.join(',')}`;
      const page = await app.open(`/jobs?filter=${filter}`, { key: await app.createKey(['read', 'operate']) });
      await row(page, ids[0]!).getByRole('link').focus();
      await page.keyboard.press('x');
      await page.getByRole('button', { name: 'Select all 3 that match' }).click();
      await page.getByRole('button', { name: 'More …' }).click();
      await page.getByRole('menuitem', { name: 'Change priority' }).click();
      await page.getByLabel('Priority (0 to 9)').fill('9');
      await page.getByText('3 jobs would be changed').waitFor();
      await page.getByLabel('Why?').fill('they can wait');
      await page.getByRole('button', { name: 'Change priority 3 jobs' }).click();
      await page.getByText('3 jobs changed in priority').waitFor();
      expect(await countOf(`${filter} priority:9`)).toBe(3);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('3 jobs restored').waitFor();
      expect(await countOf(`${filter} priority:9`)).toBe(0);
    });

    test('that died of one error are one line of the failures, and are retried from there', async () => {
      const ids = await die();
      // an outcome has no stack: as if it had been thrown
      await app.pool.query(
        `UPDATE duework.job_attempts SET error_stack = E'Error: no\\n    at send (file:///srv/send.ts:1:2)'`,
      );
      const page = await app.open('/failures?range=1h', { key: await app.createKey(['read', 'payloads', 'operate']) });
      await page.getByRole('button', { name: /No such mailbox/ }).click();
      // when it began and what to do is beside it
      await page.getByText('Began with').waitFor();
      await page.getByRole('button', { name: 'Pause send_receipt' }).waitFor();
      await page.getByText('send (send.ts:1:2)').waitFor();
      await page.getByLabel('Stack', { exact: true }).waitFor();
      await page.getByRole('button', { name: /^Retry the \d+ dead$/ }).click();
      await page.getByRole('button', { name: /^Retry \d+ jobs$/ }).click();
      await page.getByText(/\d+ jobs retried/).waitFor();
      await Promise.all(ids.map(ended));
      const { entries } = await app.call<{ entries: object[] }>('GET', '/v1/audit');
      expect(entries).toContainEqual(expect.objectContaining({ by: expect.stringMatching(/^key:console-/) }));
      await page.goto(`${app.url}/console/jobs/${ids[0]}`);
      await page.getByText(/^retried by key:console-\d+ in bulk action \d+/).waitFor();
    });

    test('cannot be selected by a key that may only read', async () => {
      await enqueue('example.com', { delaySeconds: 3600 });
      const page = await app.open('/jobs', { key: await app.createKey(['read']) });
      await page.getByRole('row').nth(1).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
    });
  });

  describe('contracts', () => {
    test('a job is enqueued from the form of its schema, and what the API refuses stands at its field', async () => {
      const page = await app.open('/contracts', { key: await app.createKey(['read', 'enqueue']) });
      await page.getByRole('link', { name: 'send_receipt' }).click();
      await page.getByRole('cell', { name: 'email address' }).waitFor();
      await page.getByRole('link', { name: 'Enqueue', exact: true }).click();
      const field = (name: string) => page.getByLabel(name);
      await field('receiptId').fill(`R-${++receipts}`);
      await field('email').fill('ana@example.com');
      await field('amountCents').fill('twelve');
      await field('currency').fill('EUR');
      await page.getByRole('button', { name: 'Enqueue', exact: true }).click();
      await page.getByText('expected number').waitFor();
      expect(await field('amountCents').getAttribute('aria-invalid')).toBe('true');
      expect(await field('email').getAttribute('aria-invalid')).toBeNull();
      await field('amountCents').fill('1200');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/console\/jobs\/\d+$/);
      await page.getByText('is in the queue').first().waitFor();
    });

    test('what waits is parsed by the server, which says where it would not, and leads to such a job', async () => {
      const id = await enqueue('example.com', { delaySeconds: 7200 });
      await app.pool.query(
        `UPDATE duework.job_runs SET payload = payload || '{"amountCents": "secret"}' WHERE id = $1`,
        [id],
      );
      const page = await app.open('/contracts/send_receipt', { key: await app.createKey(['read']) });
      const faults = page.getByRole('table', { name: 'Version 1: Why' });
      await faults.getByRole('row').filter({ hasText: '/amountCents' }).getByText('A schema refuses it').waitFor();
      expect(await page.locator('main').textContent()).not.toContain('secret');
      await faults.getByRole('link', { name: id }).click();
      await page.waitForURL(`**/console/jobs/${id}`);
      await app.call('POST', `/v1/jobs/${id}/cancel`, {});
      await page.goBack();
      await page.getByRole('button', { name: 'Check again' }).click();
      await faults.waitFor({ state: 'detached' });
    });

    test('a key that may not enqueue sees them, and no form', async () => {
      const page = await app.open('/contracts/send_receipt', { key: await app.createKey(['read']) });
      await page.getByRole('cell', { name: 'email address' }).waitFor();
      expect(await page.getByRole('link', { name: 'Enqueue', exact: true }).count()).toBe(0);
    });
  });

  test('the audit shows before and after of a change, and who it was', async () => {
    const id = await enqueue('example.com', { delaySeconds: 7200 });
    await app.call('POST', `/v1/jobs/${id}/cancel`, { reason: 'asked for paper' });
    const page = await app.open(`/audit?job=${id}`, { key: await app.createKey(['read', 'operate']) });
    await page.getByRole('button', { name: 'cancel' }).first().click();
    await page.getByRole('table', { name: 'Before and after' }).getByText('cancelled').waitFor();
    await page.getByText('asked for paper').first().waitFor();
  });

  describe('what a key may not do', () => {
    test('is not shown: neither verbs, nor payloads', async () => {
      const id = await enqueue('example.com', { delaySeconds: 3600 });
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(['read']) });
      await page.getByText('needs the scope payloads').waitFor();
      expect(await page.getByRole('button', { name: /Run now|Cancel|Retry/ }).count()).toBe(0);
      const whole = await app.open(`/jobs/${id}`, { key: await app.createKey(['read', 'payloads', 'operate']) });
      await whole.getByText('"ana@example.com"').waitFor();
      await whole.getByRole('button', { name: 'Run now' }).waitFor();
    });
  });

  test('with the keyboard alone a job is found, opened, cancelled and left', async () => {
    const id = await enqueue('example.com', { delaySeconds: 7200 });
    const page = await app.open('/jobs', { key: await app.createKey(['read', 'operate']) });
    await row(page, id).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(`id:${id}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/jobs?filter=id:${id}`);
    await page.keyboard.press('Escape');
    await row(page, id).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // the focus is back where it was
    expect(await cancel.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('It is cancelled.').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.waitForURL('**/console/jobs');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  });
}

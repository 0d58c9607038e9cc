import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { writeGates } from '../../write/pictures/write-gates.js';
import { findFaults } from './describe-screens.js';
import { tabTo } from './tab-to.js';
import type { TestConsole } from './use-console.js';

/** Rules of flow control, and jobs that wait at them. */
export function describeFlow(app: TestConsole): void {
  describe('rules of flow control', () => {
    const OPERATOR = ['read', 'payloads', 'operate'] as const;

    interface Rule {
      readonly name: string;
      readonly terms: object;
      readonly changed: object | null;
      readonly waiting: number;
      readonly running: number;
    }
    const ruleOf = async (name: string): Promise<Rule> =>
      (await app.call<{ rules: Rule[] }>('GET', '/v1/flow')).rules.find((rule) => rule.name === name)!;
    const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
    const dialogButton = (page: Page, name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true });
    const lastAudit = async () =>
      (await app.call<{ entries: object[] }>('GET', '/v1/audit?kind=flow_rule')).entries[0] as object;

    beforeAll(() => writeGates(app.databaseUrl), 60_000);

    test('rules of all kinds are found by kind and name, and one tells who holds it and leads to who waits', async () => {
      const page = await app.open('/flow', { key: await app.createKey(OPERATOR) });
      await row(page, 'breaker/bank').getByText('breaker open').waitFor();
      await row(page, 'limit/bank').getByText('changed by ana@example.com; declared: 5 at once').waitFor();
      await page.getByRole('button', { name: 'limits', exact: true }).click();
      await page.waitForURL('**/console/flow?kind=limit');
      await row(page, 'breaker/bank').waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.keyboard.type('bank');
      await row(page, 'limit/export.accountId').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/flow/limit/bank');

      const { keys } = await app.call<{ keys: { holders: { id: string }[]; waiting: number }[] }>(
        'GET',
        '/v1/flow/limit/bank/keys',
      );
      const { holders, waiting } = keys[0]!;
      await page.getByText(`${holders.length} of 2`).waitFor();
      for (const { id } of holders) await page.getByRole('link', { name: id }).waitFor();
      await row(page, 'all jobs')
        .getByRole('link', { name: String(waiting), exact: true })
        .click();
      await page.waitForURL(/\/console\/jobs\?filter=held:limit/);
      await page.getByText(`${waiting} jobs`).waitFor();
    });

    test('a change is told before it is made, and put back, each with its reason', async () => {
      const page = await app.open('/flow/rate/sms', { key: await app.createKey(OPERATOR) });
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('How many').fill('0');
      await page.getByRole('alert').filter({ hasText: 'whole number from 1' }).waitFor();
      await page.getByLabel('How many').fill('many');
      await page.getByRole('alert').filter({ hasText: 'must be a number' }).waitFor();
      await page.getByLabel('How many').fill('2');
      const told = page.getByRole('region', { name: 'What that does' });
      await told.getByText('1 in 1 h, 1 of them at once becomes 2 in 1 h, 1 of them at once.').waitFor();
      await told.getByText('What waits now needs 1 h 30 m, instead of 3 h.').waitFor();
      await page.getByLabel('Why?').fill('the provider allows more');
      await dialogButton(page, 'Change').click();
      await page.getByText(/Changed by .* The contracts declare: 1 in 1 h/).waitFor();
      expect(await ruleOf('rate/sms')).toMatchObject({ terms: { max: 2 }, changed: { max: 2 } });
      expect(await lastAudit()).toMatchObject({ verb: 'change_flow_rule', reason: 'the provider allows more' });

      await page.getByRole('button', { name: 'Put back' }).click();
      await told.getByText('2 in 1 h, 1 of them at once becomes 1 in 1 h, 1 of them at once.').waitFor();
      await dialogButton(page, 'Put back').click();
      await page.getByRole('button', { name: 'Put back' }).waitFor({ state: 'detached' });
      expect(await ruleOf('rate/sms')).toMatchObject({ terms: { max: 1 }, changed: null });
    });

    test('a raised limit lets in at once as many as the preview has said', async () => {
      const before = await ruleOf('limit/bank');
      const page = await app.open('/flow/limit/bank', { key: await app.createKey(OPERATOR) });
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('At once').fill('4');
      await page.getByText('2 jobs are let in at once.').waitFor();
      await dialogButton(page, 'Change').click();
      // the preview says 4 of 4, too
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('4 of 4').waitFor();
      expect(await ruleOf('limit/bank')).toMatchObject({ running: 4, waiting: before.waiting - 2 });
    });

    test('one of very many keys is found, shut until a moment and let in again, without all of them being loaded', async () => {
      const asked: string[] = [];
      const page = await app.open('/flow', { key: await app.createKey(OPERATOR) });
      page.on('response', (response) => response.url().includes('/keys?') && asked.push(response.url()));
      await page.getByRole('link', { name: 'limit/export.accountId' }).click();
      // those at which nothing goes on are left out of so many
      await row(page, 'acc-2').waitFor();
      expect(await page.getByRole('row').count()).toBe(4);
      await page.getByRole('button', { name: 'all keys' }).click();
      await row(page, 'idle-0001').waitFor();
      expect(await page.getByRole('row').count()).toBe(51);
      await page.getByRole('button', { name: 'Next' }).click();
      await row(page, 'idle-0097').waitFor();
      await page.getByLabel('Find a key').fill('idle-0812');
      await row(page, 'idle-0097').waitFor({ state: 'detached' });
      expect(await page.getByRole('row').count()).toBe(2);
      expect(asked.every((url) => url.includes('limit=50'))).toBe(true);

      await page.getByRole('button', { name: 'Shut: limit/export.accountId/idle-0812' }).click();
      await page.getByLabel('in an hour').check();
      await page.getByLabel('Why?').fill('the customer moves');
      await page.keyboard.press('Enter');
      await row(page, 'idle-0812').getByText('shut').waitFor();
      const { keys } = await app.call<{ keys: { closedUntil: string }[] }>(
        'GET',
        '/v1/flow/limit/export.accountId/keys?value=idle-0812',
      );
      const inMs = Date.parse(keys[0]!.closedUntil) - Date.now();
      expect(inMs).toBeGreaterThan(3_500_000);
      expect(inMs).toBeLessThan(3_700_000);
      expect(await lastAudit()).toMatchObject({ verb: 'close_flow_key', reason: 'the customer moves' });
      await page.getByRole('button', { name: 'Let in again: limit/export.accountId/idle-0812' }).click();
      await dialogButton(page, 'Let in again').click();
      await row(page, 'idle-0812').getByText('lets in').waitFor();
    });

    test('an open breaker is told of on the overview, which leads to it, and is closed there with the keyboard alone', async () => {
      const page = await app.open('/overview', { key: await app.createKey(OPERATOR) });
      const told = page.getByRole('listitem').filter({ hasText: 'breaker/bank is open' });
      await told.filter({ hasText: '7 jobs wait there' }).waitFor();
      await tabTo(page, told.getByRole('link', { name: 'Limits' }));
      await page.keyboard.press('Enter');
      await page.getByText('12 of 20').waitFor();
      await tabTo(page, page.getByRole('button', { name: 'Let in again: breaker/bank' }));
      await page.keyboard.press('Enter');
      await page.getByText('It forgets earlier failures.').waitFor();
      await tabTo(page, page.getByLabel('Why?'));
      await page.keyboard.type('the bank is back');
      await page.keyboard.press('Enter');
      await page.getByText('0 of 0').waitFor();
      await page.getByRole('button', { name: 'Shut: breaker/bank' }).waitFor();
      expect(await ruleOf('breaker/bank')).toMatchObject({ waiting: 0 });
      expect(await lastAudit()).toMatchObject({ verb: 'open_flow_key', reason: 'the bank is back' });
    });

    test('tenants tell how many wait of each and with which weight', async () => {
      const page = await app.open('/flow/tenant/reports', { key: await app.createKey(OPERATOR) });
      await row(page, 'acme').getByRole('link', { name: '9', exact: true }).waitFor();
      await row(page, 'globex').getByRole('link', { name: '3', exact: true }).waitFor();
      expect(await row(page, 'acme').getByRole('cell').nth(1).textContent()).toBe('3');
    });

    test('a job that waits says so in the list and on its screen, with its gate, and what it needs', async () => {
      const page = await app.open('/jobs', { key: await app.createKey(OPERATOR) });
      await page.getByRole('button', { name: 'held', exact: true }).click();
      await page.waitForURL('**/console/jobs?filter=held:any');
      await page.getByRole('combobox', { name: 'Filter' }).fill('held:ord');
      await page.getByRole('option', { name: /order/ }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const held = row(page, 'order/ledger.accountId/acc-1').first();
      await held.getByText('held').waitFor();
      await held.getByRole('link').first().click();
      await page.locator('main header').getByText('held').waitFor();
      await page.getByRole('region', { name: 'Where it is, and why' }).getByText('order/ledger.accountId').waitFor();
      await page.getByRole('link', { name: 'order/ledger.accountId/acc-1' }).first().click();
      await page.waitForURL('**/console/flow/order/ledger.accountId?value=acc-1');
      await row(page, 'acc-1').waitFor();
    });

    test('a key that may only read sees no button, and no keys that are made of payloads', async () => {
      const page = await app.open('/flow/limit/bank', { key: await app.createKey(['read']) });
      await row(page, 'all jobs').waitFor();
      expect(await page.getByRole('button', { name: /Change|Put back|Shut|Let in/ }).count()).toBe(0);
      await page.goto(`${app.url}/console/flow/limit/export.accountId`);
      await page.getByText('needs the scope payloads').waitFor();
    });

    test('where no contract declares a limit the screen shows how to, without a fault', async () => {
      await app.pool.query('DELETE FROM duework.flow_rules');
      const page = await app.open('/flow', { key: await app.createKey(OPERATOR) });
      await page.getByText("limits: [{ name: 'smtp', max: 5 }]").waitFor();
      await findFaults(page);
    });
  });
}

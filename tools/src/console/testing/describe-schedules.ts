import { describe, expect, test } from '@jest/globals';
import { findAxeFaults } from './find-axe-faults.js';
import type { TestConsole } from './use-console.js';

const nightly = {
  type: 'cleanup_nightly',
  payload: { day: { $due: 'date', addDays: -1 } },
  cron: '30 2 * * *',
  timeZone: 'Europe/Berlin',
};
interface Shown {
  readonly cron: string;
  readonly isPaused: boolean;
  readonly payload: unknown;
  readonly pause: { readonly reason: string } | null;
}

/** A schedule from its making to its end. */
export function describeSchedules(app: TestConsole): void {
  describe('schedules', () => {
    const read = (key: string) => app.call<Shown>('GET', `/v1/schedules/${key}`);

    test('a schedule is found, run by hand, paused with a reason and resumed', async () => {
      await app.call('PUT', '/v1/schedules/nights', nightly);
      const page = await app.open('/schedules', { key: await app.createKey(['read', 'schedules']) });
      await page.getByRole('link', { name: 'nights', exact: true }).click();
      await page.getByText('At 02:30, in Europe/Berlin').first().waitFor();
      await page.getByText(/Clocks go (forward|back) by an hour/).waitFor();
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
      await page.getByRole('table', { name: 'Ledger' }).getByText('by hand').waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByLabel('Why?').fill('the shop moves');
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByText(/Paused by .*the shop moves/).waitFor();
      expect((await read('nights')).pause).toMatchObject({ reason: 'the shop moves' });
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      expect(await read('nights')).toMatchObject({ isPaused: false });
    });

    test('a due time that was skipped behind a pause is run, as that due time, and the audit says why', async () => {
      const startsAt = new Date(Date.now() + 1_000).toISOString();
      const { cron: _, timeZone: __, ...rest } = nightly;
      const missed = { policy: 'skip', tolerance: '1s' };
      await app.call('PUT', '/v1/schedules/skipped', {
        ...rest,
        payload: { day: { $due: 'date', addDays: -3 } },
        every: '1d',
        startsAt,
        missed,
      });
      await app.call('POST', '/v1/schedules/skipped/pause', { reason: 'the shop moves' });
      const isTooLate = async (): Promise<boolean> =>
        (await app.pool.query<{ late: boolean }>(`SELECT now() > $1::timestamptz + interval '2 s' AS late`, [startsAt]))
          .rows[0]!.late;
      while (!(await isTooLate()));
      await app.call('POST', '/v1/schedules/skipped/resume');
      const reader = await app.open('/schedules/skipped', { key: await app.createKey(['read']) });
      await reader.getByRole('table', { name: 'Ledger' }).getByText('the shop moves').waitFor();
      expect(await reader.getByRole('button', { name: 'Run this due time' }).count()).toBe(0);

      const page = await app.open('/schedules/skipped', { key: await app.createKey(['read', 'schedules']) });
      await page.getByRole('button', { name: 'Run this due time' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('as if it had not been skipped').waitFor();
      expect(await findAxeFaults(page)).toEqual([]);
      await dialog.getByLabel('Why?').fill('it was paused by mistake');
      await dialog.getByRole('button', { name: 'Run this due time' }).click();
      await page.getByRole('table', { name: 'Ledger' }).getByText('by hand').waitFor();
      expect(await page.getByRole('button', { name: 'Run this due time' }).count()).toBe(0);
      const { dueTimes } = await app.call<{ dueTimes: object[] }>('GET', '/v1/due-times?schedule=skipped');
      expect(dueTimes).toMatchObject([{ dueAt: startsAt, outcome: 'fired', reason: 'triggered' }]);
      const { entries } = await app.call<{ entries: object[] }>('GET', '/v1/audit?kind=schedule&target=skipped');
      expect(entries[0]).toMatchObject({ verb: 'trigger_schedule', reason: 'it was paused by mistake' });
    });

    test('a schedule that comes seldom shows its own last due times in the list, beside one that comes each second', async () => {
      await app.call('PUT', '/v1/schedules/nights', nightly);
      await app.call('PUT', '/v1/schedules/seconds', { ...nightly, cron: undefined, every: '1s', overlap: 'allow' });
      await app.call('POST', '/v1/schedules/nights/trigger');
      const page = await app.open('/schedules', { key: await app.createKey(['read']) });
      const row = (key: string) =>
        page.getByRole('row').filter({ has: page.getByRole('link', { name: key, exact: true }) });
      await row('nights').getByRole('img', { name: 'by hand' }).waitFor();
      await row('seconds').getByRole('img', { name: 'fired' }).waitFor();
      await app.call('POST', '/v1/schedules/seconds/pause');
    });

    test('an edit shows what it means before it is saved, and keeps the payload', async () => {
      await app.call('PUT', '/v1/schedules/edited', nightly);
      const key = await app.createKey(['read', 'payloads', 'sensitive', 'schedules']);
      const page = await app.open('/schedules/edited', { key });
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Rule' }).fill('0 9 * * 1');
      await dialog.getByText('At 09:00, only on Monday, in Europe/Berlin').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      // the dialog says the same
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('At 09:00, only on Monday, in Europe/Berlin').waitFor();
      expect(await read('edited')).toMatchObject({ cron: '0 9 * * 1', payload: nightly.payload });
    });

    test('one is made with its payload beside what its rule means, never over another, and deleted', async () => {
      await app.call('PUT', '/v1/schedules/taken', nightly);
      const page = await app.open('/schedules', { key: await app.createKey(['read', 'payloads', 'schedules']) });
      await page.getByRole('button', { name: 'New schedule' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Key', { exact: true }).fill('taken');
      await dialog.getByLabel('Type', { exact: true }).selectOption('cleanup_nightly');
      await dialog.getByText('Fields: day').waitFor();
      await dialog.getByLabel('Payload of its jobs').fill('{"day": {"$due": "date", "addDays": -1}}');
      await dialog.getByRole('textbox', { name: 'Rule' }).fill('15 4 * * 1-5');
      await dialog.getByLabel('Zone').fill('Europe/Berlin');
      await dialog.getByText('At 04:15, Monday through Friday, in Europe/Berlin').waitFor();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('There is a schedule with this key').waitFor();
      await dialog.getByLabel('Key', { exact: true }).fill('weekdays');
      await dialog.getByLabel('Payload of its jobs').fill('{"day": {"$due": "date", "addDays": "x"}}');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.locator('textarea[aria-invalid=true]').waitFor();
      await dialog.getByLabel('Payload of its jobs').fill('{"day": {"$due": "date", "addDays": -1}}');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL('**/console/schedules/weekdays');
      expect(await read('weekdays')).toMatchObject({ cron: '15 4 * * 1-5', payload: nightly.payload });
      expect(await read('taken')).toMatchObject({ cron: nightly.cron });

      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('This cannot be undone').waitFor();
      await dialog.getByLabel('Why?').fill('nobody reads them');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL('**/console/schedules');
      await page.getByRole('link', { name: 'weekdays', exact: true }).waitFor({ state: 'detached' });
      const { entries } = await app.call<{ entries: object[] }>('GET', '/v1/audit?kind=schedule');
      expect(entries[0]).toMatchObject({ verb: 'delete_schedule', target: 'weekdays', reason: 'nobody reads them' });
    });

    test('a key that does not see payloads edits no schedule, and one that only reads sees no action', async () => {
      await app.call('PUT', '/v1/schedules/closed', nightly);
      const page = await app.open('/schedules/closed', { key: await app.createKey(['read', 'schedules']) });
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByText('needs the scope payloads').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      const reader = await app.open('/schedules/closed', { key: await app.createKey(['read']) });
      await reader.getByText('At 02:30, in Europe/Berlin').first().waitFor();
      expect(await reader.getByRole('button', { name: /Run now|Pause|Edit|Delete/ }).count()).toBe(0);
    });
  });
}

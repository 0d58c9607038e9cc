import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAxeFaults } from './find-axe-faults.js';
import type { TestConsole } from './use-console.js';

/** The screen of a job, and what the list of jobs is told. */
export function describeJob(app: TestConsole): void {
  let receipts = 0;
  async function enqueue(domain: string, more: object = {}): Promise<string> {
    const payload = { receiptId: `J-${++receipts}`, email: `ana@${domain}`, amountCents: 990, currency: 'EUR' };
    const { id } = await app.call<{ id: string }>('POST', '/v1/jobs', { type: 'send_receipt', payload, ...more });
    return id;
  }
  interface Shown {
    readonly status: string;
    readonly priority: number;
    readonly queue: string;
    readonly runAt: string;
    readonly payload: { readonly amountCents: number };
  }
  const read = (id: string) => app.call<Shown>('GET', `/v1/jobs/${id}`);
  const LATER = { delaySeconds: 86_400 };
  const ALL = ['read', 'payloads', 'operate', 'enqueue'] as const;

  /** Opens a dialog of the menu of a job. */
  async function choose(page: Page, verb: string) {
    await page.getByRole('button', { name: 'More …' }).click();
    await page.getByRole('menuitem', { name: verb }).click();
    return page.getByRole('dialog');
  }

  describe('a job that waits', () => {
    test('gets another time, priority and queue from its own screen, and each is taken back', async () => {
      const id = await enqueue('example.com', LATER);
      const before = await read(id);
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(ALL), context: { timezoneId: 'UTC' } });

      let dialog = await choose(page, 'Change priority');
      await dialog.getByLabel('Priority').fill('9');
      await dialog.getByLabel('Why?').fill('it can wait');
      await dialog.getByRole('button', { name: 'Change priority' }).click();
      await page.getByText('1 job changed in priority').waitFor();
      expect(await read(id)).toMatchObject({ priority: 9 });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('1 job restored').waitFor();

      dialog = await choose(page, 'Reschedule');
      await dialog.getByLabel('Due at').fill('2099-01-31T09:00');
      await dialog.getByRole('button', { name: 'Reschedule' }).click();
      await page.getByText('1 job rescheduled').waitFor();
      expect(await read(id)).toMatchObject({ runAt: '2099-01-31T09:00:00.000Z' });
      await page.getByText('2099-01-31 09:00:00').first().waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('1 job restored').waitFor();

      dialog = await choose(page, 'Move to a queue');
      await dialog.getByLabel('Queue').fill('mail_later');
      await dialog.getByRole('button', { name: 'Move' }).click();
      await page.getByText('1 job moved').waitFor();
      await page.getByRole('link', { name: 'mail_later' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('1 job restored').waitFor();
      expect(await read(id)).toEqual(before);
    });

    test('has a field of its payload edited, which its contract has to take', async () => {
      const id = await enqueue('example.com', LATER);
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(ALL) });
      const dialog = await choose(page, 'Edit a field');
      await dialog.getByLabel('Field,').fill('amountCents');
      expect(await dialog.getByLabel('New value').inputValue()).toBe('990');
      await dialog.getByLabel('New value').fill('"much"');
      await dialog
        .getByText(/contract/)
        .nth(1)
        .waitFor();
      expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await dialog.getByLabel('New value').fill('9007199254740993');
      await dialog.getByRole('alert').filter({ hasText: 'more digits' }).waitFor();
      await dialog.getByLabel('New value').fill('1200');
      await dialog.getByText('This can be done.').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('1 job edited').waitFor();
      await page.getByLabel('Payload', { exact: true }).getByText('1200').waitFor();
      expect((await read(id)).payload).toMatchObject({ amountCents: 1200 });
    });

    test('shows none of that to a key that may only read', async () => {
      const id = await enqueue('example.com', LATER);
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(['read']) });
      await page.getByText('needs the scope payloads').waitFor();
      expect(await page.getByRole('button', { name: /More|Run now|Cancel/ }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Edit and enqueue again' }).count()).toBe(0);
    });
  });

  test('numbers that JavaScript cannot hold stand on the screen with all their digits', async () => {
    const id = await enqueue('example.com', LATER);
    const stored = '{"orderId": 9007199254740993, "amounts": [-12345678901234567890, 0.12345678901234567890]}';
    await app.pool.query('UPDATE duework.job_runs SET payload = $2::text::jsonb WHERE id = $1::text::bigint', [
      id,
      stored,
    ]);
    const page = await app.open(`/jobs/${id}`, { key: await app.createKey(ALL) });
    const payload = page.getByLabel('Payload', { exact: true });
    for (const number of ['9007199254740993', '-12345678901234567890', '0.12345678901234567890'])
      await payload.getByText(number).waitFor();
    // and nobody replays it with other ones
    await page.getByRole('link', { name: 'Edit and enqueue again' }).click();
    await page.getByRole('button', { name: 'Enqueue', exact: true }).click();
    await page.getByText('more digits than are kept').waitFor();
  });

  test('of an effect that may have happened a person says what they saw, and the job goes on', async () => {
    const id = await enqueue('gone.example', { maxAttempts: 1 });
    await app.call('GET', `/v1/jobs/${id}?wait=30`);
    await app.pool.query(`UPDATE duework.job_history SET error_code = 'effect_unknown' WHERE id = $1::text::bigint`, [
      id,
    ]);
    await app.pool.query(
      `INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, done_at) VALUES
      ('send_receipt', 'run:' || $1::text, 'charge', 'done', $1::text::bigint, 1, now()),
      ('send_receipt', 'run:' || $1::text, 'notify', 'unknown', $1::text::bigint, 1, NULL)`,
      [id],
    );
    const page = await app.open(`/jobs/${id}`, { key: await app.createKey(ALL) });
    const effects = page.getByRole('list', { name: 'Effects' });
    await effects.getByRole('listitem').filter({ hasText: 'notify' }).getByText('may have happened').waitFor();
    await page.getByRole('button', { name: 'Say what happened' }).click();
    await page.getByRole('dialog', { name: 'Did it happen?' }).getByText('notify').waitFor();
    await page.getByRole('button', { name: 'It happened: continue without it' }).click();
    await effects.getByRole('listitem').filter({ hasText: 'notify' }).getByText('done', { exact: true }).waitFor();
  });

  test('what belongs to a job elsewhere is a link: its schedule, its key, its trace and its logs', async () => {
    await app.call('PUT', '/v1/schedules/nights', {
      type: 'cleanup_nightly',
      payload: { day: { $due: 'date', addDays: -1 } },
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
    });
    const { id: scheduled } = await app.call<{ id: string }>('POST', '/v1/schedules/nights/trigger');
    const key = await app.createKey(['read', 'schedules']);
    const page = await app.open(`/jobs/${scheduled}`, { key });
    await page.getByRole('link', { name: 'nights' }).click();
    await page.waitForURL('**/console/schedules/nights');

    const id = await enqueue('gone.example', { maxAttempts: 1, idempotencyKey: 'order:812 "é"' });
    await app.call('GET', `/v1/jobs/${id}?wait=30`);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await app.pool.query('UPDATE duework.job_history SET meta = $2::text::jsonb WHERE id = $1::text::bigint', [
      id,
      JSON.stringify({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` }),
    ]);
    await page.goto(`${app.url}/console/jobs/${id}`);
    const elsewhere = page.getByRole('list', { name: 'Links elsewhere' });
    const linkOf = async (name: string): Promise<(string | null)[]> => {
      const link = elsewhere.getByRole('link', { name });
      return [await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')];
    };
    expect(await linkOf('Trace')).toEqual([
      `https://traces.example.com/trace/${traceId}`,
      '_blank',
      'noopener noreferrer',
    ]);
    expect((await linkOf('Logs (opens'))[0]).toBe(`https://logs.example.com/?q=job:${id}`);
    expect((await linkOf('Logs of this worker'))[0]!.replace(/-\w{4}$/, '-NNNN')).toBe(
      `https://logs.example.com/?q=job:${id}+worker:mail-1-NNNN`,
    );
    await page.getByRole('link', { name: 'order:812 "é"' }).click();
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: id }) })
      .waitFor();
  });

  describe('the list of jobs', () => {
    const row = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
    /** Counts how often the page asks for the list, from now on. */
    function countAsked(page: Page): () => number {
      let asked = 0;
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.endsWith('/v1/jobs')) asked++;
      });
      return () => asked;
    }

    test('is told what changes, and asks for nothing', async () => {
      const page = await app.open('/jobs?filter=type:send_receipt', { key: await app.createKey(['read']) });
      await page.getByText('Live', { exact: true }).waitFor();
      const asked = countAsked(page);
      const id = await enqueue('example.com');
      await row(page, id).getByText('succeeded').waitFor();
      const later = await enqueue('example.com', LATER);
      await row(page, later).getByText('queued').waitFor();
      await app.call('POST', `/v1/jobs/${later}/cancel`, {});
      await row(page, later).getByText('cancelled').waitFor();
      expect(asked()).toBe(0);
    });

    test('moves no row under the pointer: what is new is counted above, and what changes in a row is shown', async () => {
      const id = await enqueue('example.com', LATER);
      const page = await app.open('/jobs', { key: await app.createKey(['read']) });
      await page.getByText('Live', { exact: true }).waitFor();
      await row(page, id).hover();
      const top = await row(page, id).boundingBox();
      const newer = await enqueue('example.com', LATER);
      await page.getByRole('button', { name: '1 newer job' }).waitFor();
      await app.call('POST', `/v1/jobs/${id}/cancel`, {});
      await row(page, id).getByText('cancelled').waitFor();
      expect(await row(page, id).boundingBox()).toEqual(top);
      expect(await row(page, newer).count()).toBe(0);
      await page.getByRole('button', { name: '1 newer job' }).click();
      await row(page, newer).waitFor();
    });

    test('is told again after its stream broke, and what happened meanwhile', async () => {
      const page = await app.open('/jobs?filter=status:queued', { key: await app.createKey(['read']) });
      await page.getByText('Live', { exact: true }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('Live', { exact: true }).waitFor({ state: 'detached' });
      const id = await enqueue('example.com', LATER);
      await page.context().setOffline(false);
      await row(page, id).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      const asked = countAsked(page);
      await row(page, await enqueue('example.com', LATER)).waitFor();
      expect(asked()).toBe(0);
    });

    test('asks again and again where nothing may be told, and says so by not being live', async () => {
      const page = await app.open('/workers', { key: await app.createKey(['read']) });
      await page.route('**/v1/events**', (route) =>
        route.fulfill({ status: 501, contentType: 'application/problem+json', body: '{"code":"not_supported"}' }),
      );
      await page.goto(`${app.url}/console/jobs`);
      await page.getByRole('table').waitFor();
      const id = await enqueue('example.com', LATER);
      await row(page, id).waitFor();
      expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    });
  });

  describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
    test('the menu and the dialogs of a job have no fault that axe finds, wide or on a phone', async () => {
      const id = await enqueue('example.com', LATER);
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(ALL), context: { colorScheme } });
      const [menu, dialog] = [page.getByRole('menu'), page.getByRole('dialog')];
      for (const viewport of [
        { width: 1440, height: 900 },
        { width: 320, height: 640 },
      ]) {
        await page.setViewportSize(viewport);
        await page.getByRole('button', { name: 'More …' }).click();
        await menu.waitFor();
        expect(await findAxeFaults(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });
        for (const verb of ['Reschedule', 'Edit a field']) {
          await choose(page, verb);
          await dialog.waitFor();
          expect(await findAxeFaults(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
      }
    });
  });
}

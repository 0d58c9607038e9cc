import { beforeEach, describe, expect, test } from '@jest/globals';
import { findAxeFaults } from './find-axe-faults.js';
import type { TestConsole } from './use-console.js';

/** An alert from the overview on: taken, silenced, and told again. */
export function describeAlerts(app: TestConsole): void {
  describe('alerts', () => {
    beforeEach(async () => {
      await app.pool.query('TRUNCATE duework.job_alerts, duework.alert_silences');
      await app.pool.query(`
        INSERT INTO duework.job_alerts (name, subject, severity, raised_at, facts) VALUES
          ('effect_unknown', 'send_receipt', 'warning', now(), '{"type": "send_receipt", "runs": 3}'),
          ('oldest_job_waits_too_long', 'default', 'critical', now(), '{"queue": "default", "waitingSeconds": 400, "limit": 300}')`);
    });

    test('jobs that wait for a person come first on the overview; an alert is taken, silenced and told again', async () => {
      const page = await app.open('/overview', { key: await app.createKey(['read', 'operate']) });
      const first = page.getByRole('region', { name: 'What is wrong' }).getByRole('listitem').first();
      await first.filter({ hasText: 'unknown whether 3 jobs of send_receipt took effect' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      const line = page.getByRole('listitem').filter({ hasText: 'a person has to look' });
      await line.getByRole('button', { name: 'I take it' }).click();
      await line.getByText('looks after it').waitFor();
      await line.getByRole('button', { name: 'Silence' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('effect_unknown', { exact: true }).check();
      await dialog.getByLabel('a day').check();
      await dialog.getByLabel('Why (in the audit)').fill('asked the mail provider');
      await page.keyboard.press('Enter');
      await line.getByText('silenced until').waitFor();
      await page.getByText('asked the mail provider').waitFor();
      expect(await findAxeFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'End', exact: true }).click();
      await line.getByRole('button', { name: 'Silence' }).waitFor();
      const { silences } = await app.call<{ silences: unknown[] }>('GET', '/v1/alerts');
      expect(silences).toEqual([]);
      await line.getByRole('link', { name: 'Jobs' }).click();
      await page.waitForURL(/filter=status(:|%3A)dead/);
    });

    test('a test alert is raised, and a key that may only read sees the alerts, and no button', async () => {
      const page = await app.open('/alerts', { key: await app.createKey(['read', 'operate']) });
      await page.getByRole('button', { name: 'Send a test alert' }).click();
      await page.getByText(/This is a test by key:/).waitFor();
      const reader = await app.open('/alerts', { key: await app.createKey(['read']) });
      await reader.getByText('has been waiting for 400 s').waitFor();
      expect(await reader.locator('main').getByRole('button').count()).toBe(0);
    });
  });
}

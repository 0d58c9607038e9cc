import { describe, expect, test } from '@jest/globals';
import { findAxeFaults } from './find-axe-faults.js';
import type { TestConsole } from './use-console.js';

/** A key for the jobs of one type. */
export function describeLimited(app: TestConsole): void {
  describe('a key for some types', () => {
    test('begins at the jobs, has only what it may see in the menu, and is told what it is for', async () => {
      const page = await app.open('/', { key: await app.createKey(['read', 'operate'], ['send_invoice']) });
      await page.waitForURL('**/console/jobs');
      const names = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
      expect(await names.allTextContents()).toEqual(['Jobs', 'Failures', 'Workflows', 'Contracts']);
      await page.goto(`${app.url}/console/jobs?filter=type:send_receipt`);
      await page.getByText('You see jobs of send_invoice only.').waitFor();
      expect(await findAxeFaults(page)).toEqual([]);
    });

    test.each(['/overview', '/alerts', '/schedules', '/queues', '/flow', '/workers', '/audit'])(
      'is told at %s why there is nothing for it, and asks the API for none of it',
      async (path) => {
        const page = await app.open('/jobs', { key: await app.createKey(['read', 'operate'], ['send_invoice']) });
        await page.getByRole('navigation', { name: 'Screens' }).waitFor();
        const refused: string[] = [];
        page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
        await page.goto(`${app.url}/console${path}`);
        await page.getByRole('heading', { name: 'This is not for you' }).waitFor();
        await page.getByText('is for jobs of the type send_invoice alone').waitFor();
        expect(refused).toEqual([]);
      },
    );
  });

  test('a key that may only read begins at the overview, and has no audit in the menu', async () => {
    const page = await app.open('/', { key: await app.createKey(['read']) });
    await page.waitForURL('**/console/overview');
    const names = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    expect(await names.allTextContents()).not.toContain('Audit');
  });
}

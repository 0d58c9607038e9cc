import type { Page } from 'playwright-core';
import type { Made } from '../../write/pictures/make-trouble.js';
import { FEW_DEAD, type Screen } from '../../write/pictures/screens.js';

const BULK = ['Reschedule', 'Change priority', 'Move to a queue', 'Edit payloads', 'Free keys', 'Delete'] as const;

const press = (name: string, window: 'dialog' | 'menu' = 'dialog') =>
  async function prepare(page: Page): Promise<void> {
    await page.getByRole('button', { name, exact: true }).click();
    await page.locator(`[role=${window}][data-window]`).waitFor();
  };

/** Dialogs and menus that have no picture of their own. */
export const listWindows = ({ dead }: Made): readonly Screen[] => [
  { name: 'the menu of bulk actions', path: FEW_DEAD, prepare: openMore },
  ...BULK.map((verb) => ({
    name: `the bulk action ${verb}`,
    path: FEW_DEAD,
    prepare: async (page: Page) => {
      await openMore(page);
      await page.getByRole('menuitem', { name: verb }).click();
      await page.locator('[role=dialog][data-window]').waitFor();
    },
  })),
  { name: 'acknowledging a job', path: `jobs/${dead}`, prepare: press('Acknowledge') },
  { name: 'resuming a schedule', path: 'schedules/cleanup:moving_shop', prepare: press('Resume') },
  { name: 'resuming a queue', path: 'queues', prepare: press('Resume the queue newsletter') },
];

async function openMore(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select job' }).first().click();
  await page.getByRole('button', { name: 'More …' }).click();
  await page.getByRole('menu').waitFor();
}

import type { Page } from 'playwright-core';
import type { Made } from './make-trouble.js';

/** A picture that is made: where, and what is done there first. */
export interface Screen {
  readonly name: string;
  /** Below the console; a function is called before each picture. */
  readonly path: string | (() => Promise<string>);
  readonly prepare?: (page: Page) => Promise<void>;
}

/** One line per picture. Each is made in both themes, wide and on a phone. */
export const listScreens = ({ dead, retrying, startSlow }: Made): readonly Screen[] => [
  { name: 'jobs', path: 'jobs' },
  { name: 'jobs-dead', path: 'jobs?filter=status:dead' },
  {
    name: 'jobs-suggestions',
    path: 'jobs',
    prepare: async (page) => {
      await page.getByRole('combobox').fill('status:de');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'jobs-error',
    path: 'jobs',
    prepare: async (page) => {
      await page.getByRole('combobox').fill('stauts:dead type:send_receipt since:yesterday');
      await page.keyboard.press('Enter');
    },
  },
  { name: 'jobs-empty', path: 'jobs?filter=status:dead+type:cleanup_nightly' },
  { name: 'job-dead', path: `jobs/${dead}` },
  { name: 'job-retrying', path: `jobs/${retrying}` },
  {
    name: 'job-running',
    path: async () => `jobs/${await startSlow()}`,
    prepare: (page) => page.getByText('running').first().waitFor(),
  },
  {
    name: 'job-retry',
    path: `jobs/${dead}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'contracts', path: 'contracts' },
  {
    name: 'contract',
    path: 'contracts/send_receipt',
    // what waits has been counted
    prepare: (page) => page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' }),
  },
  {
    name: 'enqueue-error',
    path: 'contracts/send_receipt/enqueue',
    prepare: async (page) => {
      await page.getByLabel('email').fill('nobody');
      await page.getByLabel('amountCents').fill('twelve');
      await page.getByRole('button', { name: 'Enqueue', exact: true }).click();
      await page.getByText('things are wrong').waitFor();
    },
  },
  {
    name: 'audit',
    path: 'audit',
    prepare: async (page) => {
      await page.locator('main [data-row]').first().click();
    },
  },
  {
    name: 'palette',
    path: 'jobs',
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys',
    path: 'jobs',
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
];

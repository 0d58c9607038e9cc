import type { Page } from 'playwright-core';
import type { Made } from './make-trouble.js';

/** A picture that is made: where, and what is done there first. */
export interface Screen {
  readonly name: string;
  /** Below the console; a function is called before each picture. */
  readonly path: string | (() => Promise<string>);
  readonly prepare?: (page: Page) => Promise<void>;
  /** How its picture in the documentation is made. Absent: it has none. */
  readonly docs?: { readonly height: number; readonly theme: 'light' | 'dark' };
}

/** Until the charts and the table below them are there. */
async function untilDrawn(page: Page): Promise<void> {
  await page.getByRole('columnheader', { name: 'Succeeded' }).waitFor();
  await page.locator('figure').first().waitFor();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Until the keys of a rule are there. */
const untilListed = (page: Page): Promise<void> => page.getByRole('table', { name: 'Keys' }).waitFor();

/** Lists of a few webhooks, for what stands over a list: axe looks through fifty rows for seconds. */
const FEW = 'jobs?filter=type:deliver_webhook';
export const FEW_DEAD = `${FEW}+status:dead`;

/** One line per picture. Each is made in both themes, wide and on a phone. */
export const listScreens = ({ dead, retrying, waiting, unknown, startSlow }: Made): readonly Screen[] => [
  { name: 'overview', path: 'overview', prepare: untilDrawn, docs: { height: 716, theme: 'light' } },
  { name: 'overview-day', path: 'overview?range=day&queue=default&type=send_receipt', prepare: untilDrawn },
  { name: 'overview-90-days', path: 'overview?range=quarter', prepare: untilDrawn },
  {
    name: 'overview-tables',
    path: 'overview',
    prepare: async (page) => {
      await untilDrawn(page);
      for (const title of ['Failures', 'Waited'])
        await page.getByRole('button', { name: `${title} as a table` }).click();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    },
  },
  { name: 'queues', path: 'queues' },
  {
    name: 'queues-pause',
    path: 'queues',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Pause the queue default' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'flow', path: 'flow', docs: { height: 430, theme: 'dark' } },
  { name: 'flow-kind', path: 'flow?kind=tenant' },
  { name: 'flow-none', path: 'flow?find=nothing' },
  { name: 'flow-limit', path: 'flow/limit/bank', prepare: untilListed },
  { name: 'flow-keys', path: 'flow/limit/export.accountId', prepare: untilListed },
  { name: 'flow-all-keys', path: 'flow/limit/export.accountId?keys=all&value=idle', prepare: untilListed },
  { name: 'flow-rate', path: 'flow/rate/sms', prepare: untilListed },
  { name: 'flow-order', path: 'flow/order/ledger.accountId', prepare: untilListed },
  { name: 'flow-tenants', path: 'flow/tenant/reports', prepare: untilListed },
  { name: 'flow-breaker', path: 'flow/breaker/bank', prepare: untilListed },
  { name: 'flow-gone', path: 'flow/limit/nothing' },
  {
    name: 'flow-change',
    path: 'flow/limit/bank',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('At once').fill('4');
      await page.getByText('are let in at once').waitFor();
    },
  },
  {
    name: 'flow-change-breaker',
    path: 'flow/breaker/bank',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('Open for').fill('soon');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'flow-put-back',
    path: 'flow/limit/bank',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Put back' }).click();
      await page.getByText('are let in at once').waitFor();
    },
  },
  {
    name: 'flow-shut',
    path: 'flow/limit/bank',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Shut' }).click();
      await page.getByLabel('another time').check();
    },
  },
  {
    name: 'flow-let-in',
    path: 'flow/breaker/bank',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Let in again' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'workers',
    path: async () => {
      await startSlow();
      return 'workers';
    },
    prepare: async (page) => {
      await page.getByRole('table').first().waitFor();
    },
  },
  { name: 'jobs', path: 'jobs' },
  { name: 'jobs-held', path: 'jobs?filter=held:any' },
  { name: 'jobs-dead', path: 'jobs?filter=status:dead' },
  {
    name: 'jobs-suggestions',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('combobox').fill('status:de');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'jobs-columns',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'jobs-views',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menu').waitFor();
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
  {
    name: 'jobs-selected',
    path: FEW_DEAD,
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Select job' }).first().click();
      await page.getByRole('button', { name: /Select all .* that match/ }).waitFor();
    },
  },
  {
    name: 'jobs-bulk-preview',
    path: FEW_DEAD,
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Select job' }).first().click();
      await page.getByRole('button', { name: /Select all .* that match/ }).click();
      await page.getByRole('button', { name: 'Retry', exact: true }).click();
      await page.getByRole('button', { name: /Retry \d+ job/ }).waitFor();
    },
  },
  {
    name: 'jobs-bulk-done',
    // nobody runs them, so that as many fit as the preview has said
    path: 'jobs?filter=queue:reports',
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Select job' }).first().click();
      await page.getByRole('button', { name: /Select all .* that match/ }).click();
      await page.getByRole('button', { name: 'More …' }).click();
      await page.getByRole('menuitem', { name: 'Change priority' }).click();
      await page.getByLabel('Priority (0 to 9)').fill('9');
      await page.getByRole('button', { name: /Change priority \d+ job/ }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'bulk-panel',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Bulk actions' }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  { name: 'failures', path: 'failures?range=1h' },
  {
    name: 'failures-open',
    path: 'failures?range=1h',
    docs: { height: 494, theme: 'dark' },
    prepare: async (page) => {
      await page
        .getByRole('button', { expanded: false })
        .filter({ has: page.locator('code') })
        .first()
        .click();
      await page.getByText('First seen').waitFor();
    },
  },
  {
    name: 'failures-retry',
    path: 'failures?range=1h',
    prepare: async (page) => {
      await page
        .getByRole('button', { expanded: false })
        .filter({ has: page.locator('code') })
        .first()
        .click();
      await page.getByRole('button', { name: /Retry the \d+ dead/ }).click();
      await page.getByRole('button', { name: /Retry \d+ job/ }).waitFor();
    },
  },
  { name: 'failures-empty', path: 'failures?type=cleanup_nightly' },
  { name: 'job-dead', path: `jobs/${dead}` },
  {
    name: 'job-retrying',
    path: `jobs/${retrying}`,
    prepare: (page) => page.getByText('It waits for its').waitFor(),
    // its stack has paths of whoever makes the picture
    docs: { height: 474, theme: 'light' },
  },
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
  {
    name: 'job-cancel',
    path: async () => `jobs/${await startSlow()}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'job-verbs',
    path: `jobs/${waiting}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More …' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'job-edit',
    path: `jobs/${waiting}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More …' }).click();
      await page.getByRole('menuitem', { name: 'Edit a field' }).click();
      await page.getByLabel('Field,').fill('amountCents');
      await page.getByText('This can be done.').waitFor();
    },
  },
  {
    name: 'job-changed',
    path: `jobs/${waiting}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More …' }).click();
      await page.getByRole('menuitem', { name: 'Change priority' }).click();
      await page.getByLabel('Priority (').fill('9');
      await page.getByRole('dialog').getByRole('button', { name: 'Change priority' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  { name: 'job-effect-unknown', path: `jobs/${unknown}`, prepare: (page) => page.getByText('Say what').waitFor() },
  { name: 'schedules', path: 'schedules' },
  {
    name: 'schedules-new',
    path: 'schedules',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New schedule' }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  { name: 'schedules-empty', path: 'schedules?cursor=z' },
  {
    name: 'schedule',
    path: 'schedules/cleanup:berlin',
    prepare: (page) => page.getByText('Clocks go').waitFor(),
  },
  { name: 'schedule-slots', path: 'schedules/receipt:slow' },
  { name: 'schedule-paused', path: 'schedules/cleanup:moving_shop' },
  {
    name: 'schedule-edit',
    path: 'schedules/cleanup:berlin',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  ...['Run now', 'Pause', 'Delete'].map((verb) => ({
    name: `schedule-${verb.toLowerCase().replace(' ', '-')}`,
    path: 'schedules/cleanup:berlin',
    prepare: async (page: Page) => {
      await page.getByRole('button', { name: verb }).click();
      await page.getByRole('dialog').waitFor();
    },
  })),
  { name: 'contracts', path: 'contracts' },
  {
    name: 'contract',
    path: 'contracts/send_receipt',
    // what waits has been counted
    prepare: (page) => page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' }),
  },
  { name: 'enqueue', path: 'contracts/send_receipt/enqueue' },
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
  { name: 'audit-empty', path: 'audit?by=nobody' },
  { name: 'not-found', path: 'nothing' },
  {
    name: 'settings',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
      await page
        .locator('header')
        .getByRole('button', { name: /Signed in|Development/ })
        .click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'palette',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys',
    path: FEW,
    prepare: async (page) => {
      await page.getByRole('table').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
];

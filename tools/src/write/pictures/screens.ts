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

type Step = (page: Page) => Promise<unknown>;

/** A screen, and what is done there, step by step. */
const screen = (name: string, path: Screen['path'], ...steps: readonly Step[]): Screen => ({
  name,
  path,
  ...(steps.length > 0 && {
    prepare: async (page: Page) => {
      for (const step of steps) await step(page);
    },
  }),
});
const click =
  (name: string | RegExp, exact = false): Step =>
  (page) =>
    page.getByRole('button', { name, exact }).click();
const choose =
  (name: string): Step =>
  (page) =>
    page.getByRole('menuitem', { name }).click();
const fill =
  (label: string, value: string): Step =>
  (page) =>
    page.getByLabel(label).fill(value);
const press =
  (key: string): Step =>
  (page) =>
    page.keyboard.press(key);
const seek =
  (text: string): Step =>
  (page) =>
    page.getByRole('combobox').fill(text);
/** Until it is there. */
const shows =
  (role: 'alert' | 'button' | 'columnheader' | 'dialog' | 'menu' | 'table', name?: string | RegExp): Step =>
  (page) =>
    page.getByRole(role, name === undefined ? {} : { name }).waitFor();
const first =
  (role: 'option' | 'table'): Step =>
  (page) =>
    page.getByRole(role).first().waitFor();
const says =
  (text: string): Step =>
  (page) =>
    page.getByText(text).waitFor();

const selectFirst: Step = (page) => page.getByRole('checkbox', { name: 'Select job' }).first().click();
const listed: Step = (page) => page.getByRole('dialog').getByRole('listitem').first().waitFor();
const openFailure: Step = (page) =>
  page
    .getByRole('button', { expanded: false })
    .filter({ has: page.locator('code') })
    .first()
    .click();
/** Until the charts and the table below them are there. */
const drawn: readonly Step[] = [
  shows('columnheader', 'Succeeded'),
  (page) => page.locator('figure').first().waitFor(),
  (page) => page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' }),
];
/** Until the keys of a rule are there. */
const keysListed = shows('table', 'Keys');

/** Lists of a few webhooks, for what stands over a list: axe looks through fifty rows for seconds. */
const FEW = 'jobs?filter=type:deliver_webhook';
export const FEW_DEAD = `${FEW}+status:dead`;
const BERLIN = 'schedules/cleanup:berlin';
const ALL_THAT_MATCH = /Select all .* that match/;

/** One line per picture. Each is made in both themes, wide and on a phone. */
export const listScreens = ({ dead, retrying, waiting, unknown, startSlow }: Made): readonly Screen[] => [
  { ...screen('overview', 'overview', ...drawn), docs: { height: 716, theme: 'light' } },
  screen('overview-day', 'overview?range=day&queue=default&type=send_receipt', ...drawn),
  screen('overview-90-days', 'overview?range=quarter', ...drawn),
  screen('overview-tables', 'overview', ...drawn, click('Failures as a table'), click('Waited as a table'), (page) =>
    page.evaluate('scrollTo(0, document.body.scrollHeight)'),
  ),
  screen('queues', 'queues'),
  screen('queues-pause', 'queues', click('Pause the queue default'), shows('dialog')),
  { ...screen('flow', 'flow'), docs: { height: 430, theme: 'dark' } },
  screen('flow-kind', 'flow?kind=tenant'),
  screen('flow-none', 'flow?find=nothing'),
  screen('flow-limit', 'flow/limit/bank', keysListed),
  screen('flow-keys', 'flow/limit/export.accountId', keysListed),
  screen('flow-all-keys', 'flow/limit/export.accountId?keys=all&value=idle', keysListed),
  screen('flow-rate', 'flow/rate/sms', keysListed),
  screen('flow-order', 'flow/order/ledger.accountId', keysListed),
  screen('flow-tenants', 'flow/tenant/reports', keysListed),
  screen('flow-breaker', 'flow/breaker/bank', keysListed),
  screen('flow-gone', 'flow/limit/nothing'),
  screen('flow-change', 'flow/limit/bank', click('Change'), fill('At once', '4'), says('are let in at once')),
  screen('flow-change-breaker', 'flow/breaker/bank', click('Change'), fill('Open for', 'soon'), shows('alert')),
  screen('flow-put-back', 'flow/limit/bank', click('Put back'), says('are let in at once')),
  screen('flow-shut', 'flow/limit/bank', click('Shut'), (page) => page.getByLabel('another time').check()),
  screen('flow-let-in', 'flow/breaker/bank', click('Let in again'), shows('dialog')),
  screen('workers', async () => startSlow().then(() => 'workers'), first('table')),
  screen('jobs', 'jobs'),
  screen('jobs-held', 'jobs?filter=held:any'),
  screen('jobs-dead', 'jobs?filter=status:dead'),
  screen('jobs-suggestions', FEW, seek('status:de'), first('option')),
  screen('jobs-columns', FEW, click('Columns'), shows('menu')),
  screen('jobs-views', FEW, click('Views'), shows('menu')),
  screen('jobs-error', 'jobs', seek('stauts:dead type:send_receipt since:yesterday'), press('Enter')),
  screen('jobs-empty', 'jobs?filter=status:dead+type:cleanup_nightly'),
  screen('jobs-selected', FEW_DEAD, selectFirst, shows('button', ALL_THAT_MATCH)),
  screen(
    'jobs-bulk-preview',
    FEW_DEAD,
    selectFirst,
    click(ALL_THAT_MATCH),
    click('Retry', true),
    shows('button', /Retry \d+ job/),
  ),
  screen(
    'jobs-bulk-done',
    // nobody runs them, so that as many fit as the preview has said
    'jobs?filter=queue:reports',
    selectFirst,
    click(ALL_THAT_MATCH),
    click('More …'),
    choose('Change priority'),
    fill('Priority (0 to 9)', '9'),
    click(/Change priority \d+ job/),
    shows('button', 'Undo'),
  ),
  screen('bulk-panel', FEW, click('Bulk actions'), listed),
  screen('failures', 'failures?range=1h'),
  {
    ...screen('failures-open', 'failures?range=1h', openFailure, says('First seen')),
    docs: { height: 494, theme: 'dark' },
  },
  screen(
    'failures-retry',
    'failures?range=1h',
    openFailure,
    click(/Retry the \d+ dead/),
    shows('button', /Retry \d+ job/),
  ),
  screen('failures-empty', 'failures?type=cleanup_nightly'),
  screen('workflows', 'workflows'),
  screen('batches-empty', 'batches'),
  screen('job-dead', `jobs/${dead}`),
  // its stack has paths of whoever makes the picture
  { ...screen('job-retrying', `jobs/${retrying}`, says('It waits for its')), docs: { height: 474, theme: 'light' } },
  screen(
    'job-running',
    async () => `jobs/${await startSlow()}`,
    (page) => page.getByText('running').first().waitFor(),
  ),
  screen('job-retry', `jobs/${dead}`, click('Retry'), shows('dialog')),
  screen('job-cancel', async () => `jobs/${await startSlow()}`, click('Cancel'), shows('dialog')),
  screen('job-verbs', `jobs/${waiting}`, click('More …'), shows('menu')),
  screen(
    'job-edit',
    `jobs/${waiting}`,
    click('More …'),
    choose('Edit a field'),
    fill('Field,', 'amountCents'),
    says('This can be done.'),
  ),
  screen(
    'job-changed',
    `jobs/${waiting}`,
    click('More …'),
    choose('Change priority'),
    fill('Priority (', '9'),
    (page) => page.getByRole('dialog').getByRole('button', { name: 'Change priority' }).click(),
    shows('button', 'Undo'),
  ),
  screen('job-effect-unknown', `jobs/${unknown}`, says('Say what')),
  screen('schedules', 'schedules'),
  screen('schedules-new', 'schedules', click('New schedule'), listed),
  screen('schedules-empty', 'schedules?cursor=z'),
  screen('schedule', BERLIN, says('Clocks go')),
  screen('schedule-due-times', 'schedules/receipt:slow'),
  screen('schedule-paused', 'schedules/cleanup:moving_shop'),
  screen('schedule-edit', BERLIN, click('Edit'), listed),
  ...['Run now', 'Pause', 'Delete'].map((verb) =>
    screen(`schedule-${verb.toLowerCase().replace(' ', '-')}`, BERLIN, click(verb), shows('dialog')),
  ),
  screen('contracts', 'contracts'),
  // what waits has been counted
  screen('contract', 'contracts/send_receipt', (page) =>
    page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' }),
  ),
  screen('enqueue', 'contracts/send_receipt/enqueue'),
  screen(
    'enqueue-error',
    'contracts/send_receipt/enqueue',
    fill('email', 'nobody'),
    fill('amountCents', 'twelve'),
    click('Enqueue', true),
    says('things are wrong'),
  ),
  screen('audit', 'audit', (page) => page.locator('main [data-row]').first().click()),
  screen('audit-empty', 'audit?by=nobody'),
  screen('not-found', 'nothing'),
  screen(
    'settings',
    FEW,
    shows('table'),
    (page) =>
      page
        .locator('header')
        .getByRole('button', { name: /Signed in|Development/ })
        .click(),
    shows('menu'),
  ),
  screen('palette', FEW, shows('table'), press('Control+k'), shows('dialog')),
  screen('keys', FEW, shows('table'), press('?'), shows('dialog')),
];

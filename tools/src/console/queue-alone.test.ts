import { defineCatalog } from '@duework/contracts';
import { sendReceipt } from '@duework/shop';
import { startTestWorker } from '@duework/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findAxeFaults } from './testing/find-axe-faults.js';
import { useQueueConsole } from './testing/use-queue-console.js';

const app = useQueueConsole();
let receipts = 0;
let stop = async (): Promise<void> => {};
afterEach(() => stop());

const enqueue = async (options: object = {}): Promise<string> => {
  const payload = {
    receiptId: `Q-${++receipts}`,
    email: 'ana@example.org',
    amountCents: 990,
    currency: 'EUR' as const,
  };
  return (await app.queue.enqueue(sendReceipt, payload, { idempotencyKey: null, ...options })).id;
};

/** A job that has died of a provider that is down. */
async function enqueueDead(): Promise<string> {
  const { worker } = await startTestWorker(app.queue, {
    catalog: defineCatalog([sendReceipt]),
    handlers: {
      send_receipt: () => {
        throw new Error('The provider is down');
      },
    },
  });
  stop = async () => void (await worker.stop({ deadlineMs: 0 }));
  const id = await enqueue({ maxAttempts: 1 });
  while ((await app.queue.getJob(id)).job.status !== 'dead') await new Promise((resolve) => setTimeout(resolve, 5));
  await stop();
  stop = async () => {};
  return id;
}

let waiting = '';
beforeEach(async () => {
  waiting = await enqueue({ delay: '2h' });
});

test('only what this queue has is in the navigation, and what it has not is said in a sentence each', async () => {
  const page = await app.open('/overview');
  const names = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  await names.first().waitFor();
  expect(await names.allTextContents()).toEqual(['Overview', 'Jobs', 'Queues', 'Contracts']);
  await page.getByText('Schedules are kept in PostgreSQL, and this queue has none.').waitFor();
  await page.getByText('Workers register in PostgreSQL, and this queue does not know who works for it.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test.each([
  ['/alerts', 'The workers of this queue tell its alerts: they are neither listed nor silenced here'],
  ['/schedules', 'Schedules are kept in PostgreSQL'],
  ['/failures', 'Failures are grouped in PostgreSQL'],
  ['/workflows', 'counted by their steps in PostgreSQL'],
  ['/flow', 'Limits, rates, orders'],
  ['/workers', 'does not know who works for it'],
  ['/audit', 'this queue keeps none'],
])('the address of a screen that there is not says why: %s', async (path, why) => {
  const page = await app.open(path);
  await page.getByRole('heading', { name: 'This queue cannot do that' }).waitFor();
  await page.getByText(why).waitFor();
});

test('jobs are listed as they come, by status, and one is opened', async () => {
  const page = await app.open('/jobs');
  await page.getByRole('link', { name: waiting, exact: true }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const next = await enqueue({ delay: '2h' });
  await page.getByRole('link', { name: next, exact: true }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.getByRole('group', { name: 'By status' }).getByRole('button', { name: 'queued' }).click();
  await page.waitForURL(/filter=status(:|%3A)queued/);
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: next, exact: true }).click();
  await page.waitForURL(`**/jobs/${next}`);
  await page.getByText('ana@example.org').first().waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test('a filter that this queue cannot list by is refused, with what it can', async () => {
  const page = await app.open('/jobs?filter=error:ECONNREFUSED', { mayBeRefused: true });
  await page.getByText('it lists jobs by one status, one type and one queue').waitFor();
});

test('a job is cancelled and retried, and a dead one acknowledged', async () => {
  const page = await app.open(`/jobs/${waiting}`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).last().click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: 'Run now' }).waitFor();
  expect((await app.queue.getJob(waiting)).job.status).toBe('queued');
  await app.queue.cancelJob(waiting);

  const dead = await enqueueDead();
  await page.goto(`${app.url}/console/jobs/${dead}`);
  await page.getByText('The provider is down').first().waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' });
  expect((await app.queue.getJob(dead)).job.acknowledgedAt).not.toBeNull();
});

test('a queue is paused and resumed, and the overview tells it', async () => {
  const page = await app.open('/queues');
  await page.getByRole('button', { name: 'Pause the queue default' }).click();
  await page.getByLabel('Why?').fill('a bad deploy');
  await page.keyboard.press('Enter');
  await page.getByText('a bad deploy').first().waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.goto(`${app.url}/console/overview`);
  await page.getByRole('listitem').filter({ hasText: 'The queue default is paused' }).waitFor();
  await page.goto(`${app.url}/console/queues`);
  await page.getByRole('button', { name: 'Resume the queue default' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause the queue default' }).waitFor();
  expect(await app.queue.listPauses()).toEqual([]);
});

test('a job is enqueued from the contract of its type', async () => {
  const page = await app.open('/contracts/send_receipt');
  await page.getByRole('link', { name: 'Enqueue' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.goto(`${app.url}/console/contracts/send_receipt/enqueue?like=${waiting}`);
  await page.getByRole('button', { name: /^Enqueue/ }).click();
  await page.waitForURL(/\/console\/jobs\/m\d+$/);
});

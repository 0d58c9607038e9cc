import { expect, test } from '@jest/globals';
import type { TestConsole } from './use-console.js';

/** Queues and workers as they are now, and the charts of the overview. */
export function describeNow(app: TestConsole): void {
  let receipts = 0;
  async function enqueue(domain: string, more: object = {}): Promise<string> {
    const payload = { receiptId: `N-${++receipts}`, email: `ana@${domain}`, amountCents: 990, currency: 'EUR' };
    const { id } = await app.call<{ id: string }>('POST', '/v1/jobs', { type: 'send_receipt', payload, ...more });
    return id;
  }

  test('a queue is paused with a reason and an end, the overview tells it, and a resume lets its jobs go on', async () => {
    await enqueue('example.com', { delaySeconds: 7_200 });
    const key = await app.createKey(['read', 'operate']);
    const page = await app.open('/queues', { key });
    await page.getByRole('button', { name: 'Pause the queue default' }).click();
    await page.getByLabel('in an hour').check();
    await page.getByLabel('Why?').fill('the provider is down');
    await page.keyboard.press('Enter');
    await page.getByText('default is paused.').waitFor();
    await page.getByText('the provider is down').waitFor();
    const { pauses } = await app.call<{ pauses: { until: string }[] }>('GET', '/v1/pauses');
    expect(pauses).toMatchObject([{ kind: 'queue', name: 'default', until: expect.any(String) }]);

    const id = await enqueue('example.com');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    const told = page.getByRole('listitem').filter({ hasText: 'The queue default is paused' });
    await told.filter({ hasText: '1 job is waiting' }).waitFor();
    await told.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('button', { name: 'Resume the queue default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause the queue default' }).waitFor();
    expect(await app.call('GET', `/v1/jobs/${id}?wait=30`)).toMatchObject({ status: 'succeeded' });
  });

  test('a key that may only read sees the queues, and no brake', async () => {
    await enqueue('example.com', { delaySeconds: 7_200 });
    const page = await app.open('/queues', { key: await app.createKey(['read']) });
    await page.getByRole('link', { name: 'send_receipt' }).waitFor();
    expect(await page.getByRole('button', { name: /Pause|Resume/ }).count()).toBe(0);
  });

  test('an administrator is told how large the queue is, by table, and how long the disk lasts', async () => {
    await app.pool.query('UPDATE duework.retention SET disk_bytes = 100::bigint * 1024 ^ 3');
    const page = await app.open('/overview', { key: await app.createKey(['read', 'admin']) });
    const size = page.getByRole('region', { name: 'Size' });
    await size.getByText(/^The queue takes [\d.]+ [kM]B\.$/).waitFor();
    await size.getByText(/^Of the disk [\d.]+ [kMG]B of 100 GB are used/).waitFor();
    const { sizes } = await app.call<{ sizes: [{ tables: { name: string }[] }] }>('GET', '/v1/doctor');
    expect(await size.getByRole('rowheader').first().textContent()).toBe(sizes[0].tables[0]!.name);
  });

  test('a worker shows what it runs now, which leads to the job', async () => {
    const id = await enqueue('slow.example', { priority: 0 });
    const page = await app.open('/workers', { key: await app.createKey(['read']) });
    await page
      .getByRole('table', { name: /^What mail-1-\w+ runs$/ })
      .getByRole('link', { name: id })
      .click();
    await page.waitForURL(`**/console/jobs/${id}`);
  });

  test('the charts are tables as well, and those of one type are an address of their own', async () => {
    await enqueue('example.com', { delaySeconds: 7_200 });
    const page = await app.open('/overview', { key: await app.createKey(['read']) });
    await page.getByRole('button', { name: 'send_receipt' }).click();
    await page.waitForURL('**/console/overview?queue=default&type=send_receipt');
    await page.getByRole('button', { name: 'Day', exact: true }).click();
    await page.waitForURL('**/console/overview?range=day&queue=default&type=send_receipt');
    await page.getByRole('button', { name: 'Failures as a table' }).click();
    const table = page.getByRole('region', { name: 'Failures' });
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['From', 'failed', 'dead']);
    expect(await table.getByRole('row').count()).toBe(97);
    await page.getByRole('button', { name: 'Show the figures of all' }).click();
    await page.waitForURL('**/console/overview?range=day');
  });
}

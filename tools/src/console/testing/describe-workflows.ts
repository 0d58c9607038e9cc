import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { bury, complete, enqueue, enqueueBatch, jobRequest, type Handlers, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { findFaults } from './describe-screens.js';
import type { TestConsole } from './use-console.js';

const payload = z.object({ orderId: z.int(), customer: z.object({ country: z.string() }) });
const orderPaid = defineSignal({ name: 'order_paid', by: ['orderId'], payload: z.object({ orderId: z.int() }) });
const shipOrder = defineJob({ type: 'ship_order', payload, durable: true, maxAttempts: 1 });
const bookTrip = defineJob({ type: 'book_trip', payload, durable: true, maxAttempts: 1 });
const part = defineJob({ type: 'part', payload: z.object({ n: z.int() }), maxAttempts: 1 });
const report = defineJob({ type: 'report', payload: z.object({ of: z.string() }) });
const catalog = defineCatalog([shipOrder, bookTrip, part, report]);

/** Workflows and batches in all, and a job beside another. */
export function describeWorkflows(app: TestConsole): void {
  describe('workflows and batches', () => {
    let db: PrismaClient;
    let worker: Worker;
    let dead = '';
    let fine = '';
    let batch = '';
    const of = (orderId: number, country = 'DE') => ({ orderId, customer: { country } });

    beforeAll(async () => {
      db = connectPrisma({ url: app.databaseUrl, poolSize: 4 });
      const handlers: Handlers<typeof catalog> = {
        ship_order: async ({ payload: { orderId }, step, waitFor, sleep }) => {
          await step('reserve', () => ({ seats: 2 }));
          if (orderId < 5) await waitFor(orderPaid, { where: { orderId } });
          else await sleep('7d', { name: 'ask for a review' });
        },
        book_trip: async ({ payload: { customer }, step }) => {
          await step('reserve', () => ({ seats: 2 }));
          try {
            await step('charge', () => {
              if (customer.country === 'XX') throw new Error('The card was declined');
            });
          } catch (error) {
            await step('free the seats', () => undefined);
            throw error;
          }
          await step('mail', () => undefined);
          return complete();
        },
        part: ({ payload: { n } }) => (n % 2 === 0 ? bury('no_mailbox', `There is no mailbox ${n}.`) : complete()),
        report: () => {},
      };
      const started = await startTestWorker(db, { catalog, handlers });
      worker = started.worker;
      const { events } = started;
      for (let n = 0; n < 7; n++) await enqueue(db, shipOrder, of(n));
      fine = (await enqueue(db, bookTrip, of(1))).id;
      dead = (await enqueue(db, bookTrip, of(2, 'XX'))).id;
      ({ id: batch } = await enqueueBatch(db, {
        name: 'invoices of november',
        jobs: [...[1, 2, 3, 4].map((n) => jobRequest(part, { n })), jobRequest(part, { n: 5 }, { delay: '1h' })],
        onSettled: (id) => jobRequest(report, { of: id }),
        onFirstDead: (id) => jobRequest(report, { of: id }),
      }));
      await events.waitFor('job.snoozed', 7);
      await events.waitFor('job.dead', 3);
      while (
        (await app.call<{ callbacks: { onFirstDead: string | null } }>('GET', `/v1/batches/${batch}`)).callbacks
          .onFirstDead === null
      )
        await new Promise((done) => setTimeout(done, 10));
    });
    afterAll(async () => {
      await worker?.stop({ deadlineMs: 0 });
      await db?.$disconnect();
    });
    const all = ['read', 'sensitive', 'payloads', 'operate', 'enqueue'] as const;

    test('workflows say at which steps jobs gather, and a line leads to those jobs', async () => {
      const page = await app.open('/workflows', { key: await app.createKey(all) });
      const section = page.getByRole('region', { name: 'ship_order' });
      await section.getByText('7 waiting').waitFor();
      const places = section.getByRole('table', { name: 'Where jobs of ship_order are' });
      const rows = await places.locator('tbody tr').allInnerTexts();
      expect(rows.map((row) => row.split(/\s*[\n\t]+\s*/).slice(0, 3))).toEqual([
        ['wait for order_paid', 'the signal order_paid', '5'],
        ['ask for a review', 'a time', '2'],
      ]);
      await page.getByRole('table', { name: 'How long steps of book_trip take' }).getByText('charge').waitFor();
      await findFaults(page);
      await places.getByRole('link', { name: 'wait for order_paid' }).click();
      await page.waitForURL(/\/jobs\?filter=/);
      await page.getByText('5 jobs').waitFor();
    });

    test('what is found at a step can be acted on as any list: saved as a view, and cancelled', async () => {
      const page = await app.open('/jobs?filter=type:ship_order at:"ask for a review"', {
        key: await app.createKey(all),
      });
      await page.getByText('2 jobs').waitFor();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByText('Save this view').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox', { name: 'Select job' }).first().click();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('dialog').getByText('1 job').first().waitFor();
    });

    test('batches are listed with how far each is, and one says what failed of it and what follows', async () => {
      const page = await app.open('/batches', { key: await app.createKey(all) });
      const row = page.getByRole('row', { name: /invoices of november/ });
      await row.getByText('4 of 5 ended').waitFor();
      await row.getByText('first dead: enqueued').waitFor();
      await row.getByText('all ended: not yet').waitFor();
      await findFaults(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await row.getByRole('link', { name: 'invoices of november' }).click();
      await page.getByRole('list', { name: 'What failed' }).getByText('There is no mailbox 4.').waitFor();
      await page.getByRole('list', { name: 'What follows' }).getByRole('link', { name: /^job / }).waitFor();
      await page.getByRole('link', { name: 'Show the 2 dead' }).waitFor();
      await findFaults(page);
    });

    test('a job is added to an open batch, its dead are retried, and what is left is cancelled', async () => {
      const page = await app.open(`/batches/${batch}`, { key: await app.createKey(all) });
      const progress = page.getByRole('region', { name: 'Jobs of the batch that have ended' });
      await page.getByRole('button', { name: 'Retry the 2 dead' }).click();
      await page.getByRole('dialog').getByText('2 jobs').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Add a job' }).click();
      await page.getByRole('menuitem', { name: 'send_receipt' }).click();
      await page.getByText(`The job is added to the batch ${batch}.`).waitFor();
      await page.getByRole('button', { name: 'JSON' }).click();
      await page.getByRole('textbox', { name: 'JSON' }).fill('{"receiptId": 7}');
      await page.getByRole('button', { name: 'Enqueue', exact: true }).click();
      await page.getByText('/receiptId').first().waitFor();
      const receipt = { receiptId: 'B-1', email: 'ana@example.com', amountCents: 990, currency: 'EUR' };
      await page.getByRole('textbox', { name: 'JSON' }).fill(JSON.stringify(receipt));
      await page.getByRole('button', { name: 'Enqueue', exact: true }).click();
      await page.waitForURL(/\/jobs\/\d+$/);
      const id = page.url().split('/').at(-1)!;
      expect((await app.call<{ batch: string }>('GET', `/v1/jobs/${id}`)).batch).toBe(batch);
      await page.goto(`${app.url}/console/batches/${batch}`);
      await progress.getByText(/of 6 ended/).waitFor();
      await page.getByRole('button', { name: 'Cancel the batch' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel the batch' }).click();
      await progress.getByText('6 of 6 ended').waitFor();
      await page.getByRole('button', { name: 'Add a job' }).waitFor({ state: 'detached' });
    });

    test('a dead job is compared with the last that succeeded: where they part, times, and what differs in the payload', async () => {
      const page = await app.open(`/jobs/${dead}`, { key: await app.createKey(all) });
      await page.getByRole('link', { name: 'Compare …' }).click();
      await page.getByRole('region', { name: 'Compared with the last that succeeded' }).getByText(fine).waitFor();
      const parting = page.getByRole('region', { name: 'Where they part' });
      await parting.getByText('At the step charge').waitFor();
      await parting.getByText(/The card was declined/).waitFor();
      const payloads = page.getByRole('table', { name: 'Payload' });
      const cells = () => payloads.locator('tbody tr').allInnerTexts();
      expect((await cells()).map((row) => row.split(/\s*[\n\t]+\s*/))).toEqual([
        ['orderId', '2', '1'],
        ['customer.country', '"XX"', '"DE"'],
      ]);
      await findFaults(page);
      await page.getByRole('button', { name: 'Everything' }).click();
      await page.getByRole('table', { name: 'Steps' }).getByText('reserve').waitFor();
      await findFaults(page);
      await page.getByRole('textbox', { name: 'Compare with job' }).fill('1');
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.waitForURL(/with=(%22)?1/);
    });

    test('a key that may not see payloads compares the rest', async () => {
      const page = await app.open(`/jobs/${dead}/compare?with=${fine}`, { key: await app.createKey(['read']) });
      await page.getByText('At the step charge').waitFor();
      await page.getByText('Hidden: seeing it needs the scope payloads.').waitFor();
    });
  });
}

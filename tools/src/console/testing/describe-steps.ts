import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { connectPrisma, type PrismaClient } from '@duework/database';
import {
  bury,
  cancelJob,
  complete,
  enqueue,
  enqueueBatch,
  jobRequest,
  signal,
  type Handlers,
  type Worker,
} from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { defineWorkflow, workflowHandler } from '@duework/workflows';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { findFaults } from './describe-screens.js';
import type { TestConsole } from './use-console.js';

const payload = z.object({ orderId: z.int() });
const orderPaid = defineSignal({ name: 'order_paid', by: ['orderId'], payload });
const bill = defineJob({ type: 'bill', payload });
const handleOrder = defineJob({ type: 'handle_booking', payload, durable: true });
const reserve = defineJob({ type: 'reserve', payload, result: z.object({ seats: z.int() }) });
const mail = defineJob({ type: 'mail', payload: z.object({ to: z.string() }), maxAttempts: 1 });
const bookOrder = defineWorkflow({
  type: 'book_order',
  payload,
  jobs: (graph) =>
    graph
      .run('reserve', reserve, { payload: ({ input }) => input })
      .run('invoice', bill, { after: ['reserve'], payload: ({ input }) => input })
      .each('mails', mail, {
        after: ['reserve'],
        each: () => ['ana', 'bo', 'cy'],
        payload: (to) => ({ to }),
        onFailure: 'skip',
      })
      .run('archive', bill, { after: ['reserve', 'invoice', 'mails'], payload: ({ input }) => input }),
});
const catalog = defineCatalog([bill, handleOrder, reserve, mail, bookOrder]);

/** Durable jobs: their steps, their graph and their batch. */
export function describeSteps(app: TestConsole): void {
  describe('steps', () => {
    let db: PrismaClient;
    let worker: Worker;
    beforeAll(async () => {
      db = connectPrisma({ url: app.databaseUrl, poolSize: 4 });
      // nobody does `bill`, so that whoever waits for one goes on waiting
      const { bill: _, ...others }: Handlers<typeof catalog> = {
        bill: () => {},
        handle_booking: async ({ payload: { orderId }, step, waitFor, sleep, child }) => {
          await step('check', () => ({ seats: 4, isPaid: false }));
          await waitFor(orderPaid, { where: { orderId }, timeout: '30m' });
          await Promise.all([child(bill, { orderId }), sleep('7d')]);
        },
        reserve: () => complete({ seats: 2 }),
        mail: ({ payload: { to } }) => (to === 'cy' ? bury('no_mailbox', 'Gone.') : complete()),
        book_order: workflowHandler(bookOrder),
      };
      ({ worker } = await startTestWorker(db, {
        catalog: defineCatalog([handleOrder, reserve, mail, bookOrder]),
        handlers: others as never,
      }));
    });
    afterAll(async () => {
      await worker?.stop({ deadlineMs: 0 });
      await db?.$disconnect();
    });
    // the API does not know these types, and so not what of them is sensitive
    const read = ['read', 'sensitive'] as const;

    test('a run that waits says what for, what it has done, and leads to its child and back', async () => {
      const { id } = await enqueue(db, handleOrder, { orderId: 812 });
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(read), context: { timezoneId: 'UTC' } });
      const steps = page.getByRole('list', { name: 'Steps' });
      const line = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
      await page.locator('header').getByText('waiting', { exact: true }).waitFor();
      await page.getByText('Its handler waits for the signal order_paid').waitFor();
      await line('wait for order_paid')
        .getByText(/waits for the signal order_paid, key 812, until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
        .waitFor();
      await line('check').getByText('done', { exact: true }).click();
      await page.getByLabel('Result of the step check').getByText('"isPaid"').waitFor();

      await signal(db, orderPaid, { orderId: 812 });
      await line('wait for order_paid').getByText('the signal order_paid, key 812, has come').waitFor();
      await line('sleep 7d')
        .getByText(/^sleeps until 20/)
        .waitFor();
      await line('bill')
        .getByRole('link', { name: /^job \d+$/ })
        .click();
      await page.getByRole('heading', { name: 'bill' }).waitFor();
      await page
        .getByText('A step of')
        .getByRole('link', { name: `Job ${id}` })
        .click();
      await line('bill').waitFor();
    });

    test('a key that may only read sees what is waited for, and neither keys nor results', async () => {
      const { id } = await enqueue(db, handleOrder, { orderId: 813 });
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(['read']) });
      const steps = page.getByRole('list', { name: 'Steps' });
      await steps.getByText(/^waits for the signal order_paid, until/).waitFor();
      expect(await steps.getByText('813').count()).toBe(0);
      expect(await steps.locator('details').count()).toBe(0);
    });

    test('a workflow is a picture of its jobs, without a fault, wide or on a phone, in each theme', async () => {
      const { id } = await enqueue(db, bookOrder, { orderId: 7 });
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey(read) });
      const after = 'mails, after reserve: 2 of 3, failed; archive, after reserve, invoice, mails: not begun';
      const graph = page.getByRole('img', { name: `reserve: done; invoice, after reserve: under way; ${after}` });
      await graph.waitFor();
      expect(await graph.locator('path[marker-end]').count()).toBe(4);
      await page.getByRole('listitem').filter({ hasText: 'mails 3' }).getByText('is dead: no_mailbox: Gone.').waitFor();
      await findFaults(page);
    });

    test('who may operate retries from a step, which is done again with all that came after it', async () => {
      const { id } = await enqueue(db, handleOrder, { orderId: 814 });
      const page = await app.open(`/jobs/${id}`, { key: await app.createKey([...read, 'operate']) });
      const steps = page.getByRole('list', { name: 'Steps' });
      await steps.getByText(/waits for the signal order_paid/).waitFor();
      await signal(db, orderPaid, { orderId: 814 });
      const paid = steps.getByRole('listitem').filter({ hasText: 'wait for order_paid' });
      await paid.getByText('done', { exact: true }).click();
      await page.getByRole('button', { name: 'Retry from here: the step wait for order_paid' }).click();
      await page.getByText('It takes the step wait for order_paid again').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
      // it waits for another signal
      await paid.getByText('waiting', { exact: true }).waitFor();
    });

    test('the jobs of a batch are listed below how far it is, which can be cancelled, and a job leads there', async () => {
      const bills = [1, 2, 3].map((orderId) => jobRequest(bill, { orderId }));
      const { id, jobs } = await enqueueBatch(db, {
        name: 'november',
        jobs: bills,
        onSettled: jobRequest(bill, payload.parse({ orderId: 9 })),
      });
      await cancelJob(db, jobs[0]!.id);
      const page = await app.open(`/jobs/${jobs[1]!.id}`, { key: await app.createKey([...read, 'operate']) });
      await page.getByRole('link', { name: id }).click();
      const batch = page.getByRole('region', { name: 'Batch' });
      await batch.getByText('1 of 3 ended').waitFor();
      await batch.getByText('november').waitFor();
      await findFaults(page);
      await batch.getByRole('button', { name: 'Cancel the batch' }).click();
      await page.getByText('2 of its jobs have not ended').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel the batch' }).click();
      await batch.getByText('3 of 3 ended').waitFor();
      await batch.getByRole('link', { name: 'enqueued when all had ended' }).click();
      await page.getByRole('heading', { name: 'bill' }).waitFor();
    });
  });
}

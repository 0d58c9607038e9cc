import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { complete, createKeyRing, enqueue, getJob, type Handlers, setKeyRing, type Worker } from '@duework/queue-core';
import { orderPaid } from '@duework/shop';
import { startTestWorker } from '@duework/testing';
import { untilJob } from '@duework/testing/fixtures';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { findAxeFaults } from './find-axe-faults.js';
import { findFaults } from './describe-screens.js';
import type { TestConsole } from './use-console.js';

const payload = z.object({ orderId: z.int() });
const common = { payload, durable: true, result: z.unknown() } as const;
const booking = defineJob({ ...common, type: 'booking' });
const refund = defineJob({ ...common, type: 'refund' });
const catalog = defineCatalog([booking, refund]);

/** What a durable job waits for, and who ends that. `key`: what the API signs links with, as `k1`. */
export function describeWaits(app: TestConsole, key: string): void {
  describe('waits', () => {
    const links = new Map<number, string>();
    let db: PrismaClient;
    let worker: Worker;
    beforeAll(async () => {
      setKeyRing(createKeyRing({ current: 'k1', keys: { k1: key } }));
      db = connectPrisma({ url: app.databaseUrl, poolSize: 4 });
      const handlers: Handlers<typeof catalog> = {
        booking: async ({ payload: { orderId }, waitFor }) =>
          complete({ paid: await waitFor(orderPaid, { where: { orderId }, timeout: '1h' }) }),
        refund: async ({ payload: { orderId }, waitForApproval }) =>
          complete(
            await waitForApproval({
              title: `Refund order ${orderId}?`,
              details: { Amount: '9.90 €', Customer: 'ana@example.org' },
              choices: ['refund', 'keep the money'],
              timeout: '3d',
              ask: ({ link }) => void links.set(orderId, link({ to: 'boss@example.org', url: app.url })),
            }),
          ),
      };
      ({ worker } = await startTestWorker<typeof catalog>(db, { catalog, handlers }));
    });
    afterAll(async () => {
      setKeyRing(null);
      await worker?.stop({ deadlineMs: 0 });
      await db?.$disconnect();
    });

    const resultOf = async (id: string): Promise<unknown> => {
      await untilJob(db, id);
      return (await getJob(db, id)).job.result;
    };
    const open = async (id: string, ...scopes: Parameters<typeof app.createKey>[0]) => {
      const page = await app.open(`/jobs/${id}`, {
        key: await app.createKey(['read', ...scopes]),
        context: { timezoneId: 'UTC' },
      });
      const waits = page.getByRole('region', { name: 'Waits for' });
      await waits.waitFor();
      return { page, waits };
    };

    test('a job that waits says what for, since when and until when, and gets its signal from a form of its schema', async () => {
      const { id } = await enqueue(db, booking, { orderId: 501 });
      const { page, waits } = await open(id, 'payloads', 'signal');
      await waits.getByText(/the signal order_paid with the key 501\s*since .*until 20\d\d-/).waitFor();
      expect(await waits.getByRole('button', { name: /Skip|Fail|Extend/ }).count()).toBe(0);
      await waits.getByRole('button', { name: 'Send signal' }).click();
      const dialog = page.getByRole('dialog', { name: 'Send the signal order_paid' });
      const field = dialog.getByLabel('orderId');
      expect(await field.inputValue()).toBe('501');
      await findAxeFaults(page, 'windows').then((faults) => expect(faults).toEqual([]));
      await field.fill('-1');
      await dialog.getByRole('button', { name: 'Send signal' }).click();
      await dialog.getByRole('alert').waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await field.fill('501');
      await dialog.getByRole('button', { name: 'Send signal' }).click();
      await page.getByText('The signal is sent.').waitFor();
      expect(await resultOf(id)).toEqual({ paid: { orderId: 501 } });
    });

    test('a wait is extended, and then skipped, with a reason that the life of the job shows', async () => {
      const { id } = await enqueue(db, booking, { orderId: 502 });
      const { page, waits } = await open(id, 'operate');
      expect(await waits.getByRole('button', { name: 'Send signal' }).count()).toBe(0);
      await waits.getByRole('button', { name: 'Extend the deadline' }).click();
      await page.getByLabel('New deadline').fill('2099-01-31T09:00');
      await page.getByRole('dialog').getByRole('button', { name: 'Extend the deadline' }).click();
      await waits.getByText(/until 2099-01-31 09:00:00/).waitFor();
      await page.getByText(/deadline extended by key:console-/).waitFor();
      await findFaults(page);
      await waits.getByRole('button', { name: 'Skip' }).click();
      await page.getByLabel('Why?').fill('paid in cash');
      await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
      await page.getByText('The wait is over.').waitFor();
      expect(await resultOf(id)).toEqual({ paid: null });
    });

    test('a wait is failed by hand, which ends a job that does not catch it', async () => {
      const { id } = await enqueue(db, booking, { orderId: 503 });
      const { page, waits } = await open(id, 'operate');
      await waits.getByRole('button', { name: 'Fail' }).click();
      await page.getByLabel('Why?').fill('fraud');
      await page.getByRole('dialog').getByRole('button', { name: 'Fail' }).click();
      await page.getByText('The wait has failed.').waitFor();
      await untilJob(db, id);
      expect((await getJob(db, id)).job).toMatchObject({
        status: 'dead',
        errorCode: 'wait_failed',
        lastError: 'fraud',
      });
    });

    test('somebody with the scope decides on the screen of the job, which then has who it was', async () => {
      const { id } = await enqueue(db, refund, { orderId: 504 });
      const reader = await open(id);
      expect(await reader.waits.getByText('Refund order 504?').count()).toBe(0);
      const { page, waits } = await open(id, 'approve', 'operate');
      await waits.getByText('Refund order 504?').waitFor();
      await waits.getByText('9.90 €').waitFor();
      await findFaults(page);
      await waits.getByRole('button', { name: 'keep the money' }).click();
      await page.getByLabel('Comment').fill('too late');
      await page.getByRole('dialog').getByRole('button', { name: 'Decide: keep the money' }).click();
      await page.getByText('Decided: keep the money').waitFor();
      expect(await resultOf(id)).toMatchObject({ choice: 'keep the money', comment: 'too late' });
      await page.getByText(/decided by key:console-/).waitFor();
    });

    test('somebody without an account decides on a phone, behind a link, where no script runs', async () => {
      const { id } = await enqueue(db, refund, { orderId: 505 });
      await open(id);
      const link = links.get(505)!;
      const phone = { viewport: { width: 320, height: 640 } };
      const page = await app.open('/', { context: { ...phone, javaScriptEnabled: false } });
      await page.goto(link);
      await page.getByRole('heading', { name: 'Refund order 505?' }).waitFor();
      // whoever presses the button alone sends nothing
      await page.getByRole('button', { name: 'Decide' }).click();
      expect((await getJob(db, id)).job.status).toBe('queued');
      await page.getByRole('radio', { name: 'refund' }).check();
      await page.getByLabel('Comment').fill('of course');
      await page.getByRole('button', { name: 'Decide' }).click();
      await page.getByText('Thank you: refund.').waitFor();
      expect(await resultOf(id)).toMatchObject({ choice: 'refund', by: 'link:boss@example.org', comment: 'of course' });
      await page.goto(link);
      await page.getByText(/link:boss@example\.org decided at .*: refund\./).waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
    });

    test.each(['light', 'dark'] as const)('the page behind a link has no fault on a phone, %s', async (colorScheme) => {
      const orderId = colorScheme === 'light' ? 506 : 507;
      const { id } = await enqueue(db, refund, { orderId });
      await open(id);
      const page = await app.open('/', { context: { viewport: { width: 320, height: 640 }, colorScheme } });
      await page.goto(links.get(orderId)!);
      await page.getByRole('button', { name: 'Decide' }).waitFor();
      expect(await findAxeFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  });
}

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendInvoice } from '@duework/shop';
import { enqueue, getJob } from '@duework/queue-core';
import { toInvoice } from '../invoice/invoice.js';
import { renderInvoice } from '../invoice/render-invoice.js';
import { createOrder } from '../testing/create-order.js';
import { findMailEffect } from '../testing/find-mail-effect.js';
import { forgetKey } from '../testing/forget-key.js';
import { openTestDatabase } from '../testing/open-test-database.js';
import { startMailServer, type MailServer } from '../testing/start-mail-server.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let mailServer: MailServer;
let worker: TestWorker;

beforeAll(async () => {
  database = await openTestDatabase();
  mailServer = await startMailServer();
  worker = await startTestWorker({ ...database, smtpUrl: mailServer.url });
});
afterAll(async () => {
  await worker.stop();
  await mailServer.stop();
  await database.close();
});

const paidOrder = {
  id: 812,
  currency: 'EUR',
  paidAt: new Date('2026-11-20T23:59:59.999Z'),
  user: { name: 'Ada Lovelace', email: 'ada@example.com' },
  items: [{ description: 'Pen', quantity: 3, unitCents: 123_456 }],
};

test("a paid order's invoice is mailed once, with a PDF", async () => {
  const { user, order } = await createOrder(database.db, { name: 'Łukasz <b>Ważny</b>' });
  const first = await enqueue(database.db, sendInvoice, { orderId: order.id });
  expect(await worker.end(first.id)).toMatchObject({ name: 'job.succeeded' });
  await forgetKey(database.db, `invoice:${order.id}`);
  const again = await enqueue(database.db, sendInvoice, { orderId: order.id });
  expect(again.id).not.toBe(first.id);
  expect(await worker.end(again.id)).toMatchObject({ name: 'job.succeeded' });

  const mails = mailServer.mails.filter((mail) => mail.to?.[0]?.address === user.email);
  expect(mails).toHaveLength(1);
  const [mail] = mails;
  const number = `INV-${String(order.id).padStart(6, '0')}`;
  expect(mail).toMatchObject({
    subject: `Your invoice ${number}`,
    messageId: `<invoice-${order.id}@duework.local>`,
    from: { address: 'shop@example.com' },
  });
  expect(mail?.to?.[0]?.name).toBe('Łukasz <b>Ważny</b>');
  expect(mail?.text).toContain('Hello Łukasz <b>Ważny</b>,');
  expect(mail?.text).toContain('Total: 37.50 EUR');
  expect(mail?.html).toContain('Łukasz &lt;b&gt;Ważny&lt;/b&gt;');
  const [pdf] = mail?.attachments ?? [];
  expect(pdf).toMatchObject({ filename: `${number}.pdf`, mimeType: 'application/pdf' });
  expect(
    Buffer.from(pdf!.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  const reply = expect.stringMatching(/^250 /);
  expect(await findMailEffect(database.db, `invoice:${order.id}`)).toMatchObject({
    status: 'done',
    runId: BigInt(first.id),
    result: reply,
  });
  // both runs have the same result, although one of them has sent nothing
  for (const { id } of [first, again]) {
    expect((await getJob(database.db, id)).job.result).toEqual({
      messageId: `<invoice-${order.id}@duework.local>`,
      reply,
    });
  }
});

test('the job of a missing or unpaid order is dead and says why', async () => {
  const { order } = await createOrder(database.db, { isPaid: false });
  const unpaid = await enqueue(database.db, sendInvoice, { orderId: order.id });
  const missing = await enqueue(database.db, sendInvoice, { orderId: 2_000_000_000 });
  expect(await worker.end(unpaid.id)).toMatchObject({
    name: 'job.dead',
    error: { code: 'order_not_paid', message: expect.stringContaining('PENDING') },
  });
  expect(await worker.end(missing.id)).toMatchObject({ name: 'job.dead', error: { code: 'order_not_found' } });
});

test('two attempts make an invoice of the same bytes', async () => {
  const first = await renderInvoice(toInvoice(paidOrder));
  const second = await renderInvoice(toInvoice({ ...paidOrder }));
  expect(first.equals(second)).toBe(true);
  expect(first.includes('(D:20261120235959Z)')).toBe(true);
});

test('an invoice states the amount to pay, in the currency of its order', () => {
  expect(toInvoice(paidOrder)).toMatchObject({
    number: 'INV-000812',
    date: '20 November 2026',
    total: '3,703.68',
    lines: [{ unit: '1,234.56', amount: '3,703.68' }],
  });
  expect(toInvoice({ ...paidOrder, currency: 'JPY' })).toMatchObject({ total: '370,368' });
  expect(toInvoice({ ...paidOrder, currency: '???' })).toMatchObject({ total: '3,703.68' });
});

test('an invoice can be made whatever its names and descriptions are', async () => {
  const texts = ['株式会社', 'Łukasz Żółć 😀', '\u0000\ud83d', 'x'.repeat(5_000), '', 'مرحبا', 'a\nb'];
  for (const text of texts) {
    const pdf = await renderInvoice(
      toInvoice({
        ...paidOrder,
        user: { name: text, email: text },
        items: [{ description: text, quantity: 1, unitCents: 2_147_483_647 }],
      }),
    );
    expect(pdf.subarray(-6).toString()).toContain('%%EOF');
  }
});

test('the invoice of a long order continues on further pages', async () => {
  const items = Array.from({ length: 120 }, (_, index) => ({
    description: `Item ${index}`,
    quantity: 1,
    unitCents: 100,
  }));
  const pdf = await renderInvoice(toInvoice({ ...paidOrder, items }));
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(3);
  const usual = await renderInvoice(toInvoice(paidOrder));
  expect(usual.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
});

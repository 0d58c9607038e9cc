import { expect, test } from '@jest/globals';
import { catalog } from './catalog.js';

const EXAMPLES: Record<string, unknown> = {
  send_invoice: { orderId: 812 },
  send_receipt: { receiptId: '2026-17', email: 'ada@example.com', amountCents: 24_900, currency: 'EUR' },
  send_weekly_report: { userId: 7, from: '2026-11-09', to: '2026-11-15' },
  cleanup_nightly: { day: '2026-11-20' },
  deliver_webhook: { eventId: 'evt_1', url: 'https://example.com/hook', event: 'order.paid', body: {} },
  confirm_order: { orderId: 812, customerId: 7 },
  handle_order: { orderId: 812 },
  approve_credit: { orderId: 812 },
};

test("the idempotency keys of the shop's jobs name the business event", () => {
  const keys = catalog.map((contract) => contract.keyOf?.(EXAMPLES[contract.type] as never));
  expect(keys).toEqual([
    'invoice:812',
    'receipt:2026-17',
    'weekly_report:7:2026-11-09',
    'cleanup:2026-11-20',
    expect.stringMatching(/^webhook:evt_1:[0-9a-f]{32}$/),
    'confirmation:812',
    'order:812',
    'credit:812',
  ]);
});

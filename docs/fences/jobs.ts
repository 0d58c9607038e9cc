/** The contracts that the examples of the documentation use and do not show. */
import { defineCatalog, defineJob, type Handlers } from 'duework';
import { z } from 'zod';

export const reportPayload = z.object({ month: z.string() });
export const sendInvoice = defineJob({ type: 'send_invoice', payload: z.object({ orderId: z.int() }) });
export type Bought = { readonly email: string; readonly amountCents: number; readonly currency: string };
export const sendReceipt = defineJob({
  type: 'send_receipt',
  payload: z.object({ receiptId: z.string(), email: z.email(), amountCents: z.int(), currency: z.string() }),
});
export const sendWeeklyReport = defineJob({
  type: 'send_weekly_report',
  payload: z.object({ userId: z.int(), from: z.string(), to: z.string() }),
});
export const cleanupNightly = defineJob({ type: 'cleanup_nightly', payload: z.object({ day: z.string() }) });
export const catalog = defineCatalog([sendInvoice]);
export declare const handlers: Handlers<typeof catalog>;

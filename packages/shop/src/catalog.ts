import { defineCatalog } from '@duework/contracts';
import { approveCredit } from './jobs/approve-credit.js';
import { cleanupNightly } from './jobs/cleanup-nightly.js';
import { confirmOrder } from './jobs/confirm-order.js';
import { deliverWebhook } from './jobs/deliver-webhook.js';
import { handleOrder } from './jobs/handle-order.js';
import { sendInvoice } from './jobs/send-invoice.js';
import { sendReceipt } from './jobs/send-receipt.js';
import { sendWeeklyReport } from './jobs/send-weekly-report.js';

/** Every job type of the shop, listed here only. */
export const catalog = defineCatalog([
  sendInvoice,
  sendReceipt,
  sendWeeklyReport,
  cleanupNightly,
  deliverWebhook,
  confirmOrder,
  handleOrder,
  approveCredit,
]);

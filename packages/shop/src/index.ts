export { catalog } from './catalog.js';
export { cleanupNightly } from './jobs/cleanup-nightly.js';
export { confirmOrder } from './jobs/confirm-order.js';
export { deliverWebhook } from './jobs/deliver-webhook.js';
export { sendInvoice } from './jobs/send-invoice.js';
export { sendReceipt } from './jobs/send-receipt.js';
export { sendWeeklyReport } from './jobs/send-weekly-report.js';

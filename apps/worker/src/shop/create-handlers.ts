import type { catalog } from '@duework/shop';
import type { Handlers } from '@duework/queue-core';
import type { AttemptDatabase } from '../bind-database.js';
import { createApproveCredit } from './handlers/approve-credit.js';
import { createCleanupNightly, type CleanupOptions } from './handlers/cleanup-nightly.js';
import { createConfirmOrder } from './handlers/confirm-order.js';
import { createDeliverWebhook, type WebhookOptions } from './handlers/deliver-webhook.js';
import { createHandleOrder } from './handlers/handle-order.js';
import { createSendInvoice } from './handlers/send-invoice.js';
import { createSendReceipt } from './handlers/send-receipt.js';
import { createSendWeeklyReport } from './handlers/send-weekly-report.js';
import type { SendMailOnce } from './send-mail-once.js';

export interface HandlerOptions {
  readonly sendMailOnce: SendMailOnce;
  /** Where the API is mounted. */
  readonly apiUrl: string;
  readonly cleanup: CleanupOptions;
  readonly webhook: WebhookOptions;
}

/** One handler for each type of the catalog: a missing or a wrong one is a compile error. */
export function createHandlers({
  sendMailOnce,
  apiUrl,
  cleanup,
  webhook,
}: HandlerOptions): Handlers<typeof catalog, AttemptDatabase> {
  return {
    send_invoice: createSendInvoice({ sendMailOnce }),
    send_receipt: createSendReceipt({ sendMailOnce }),
    send_weekly_report: createSendWeeklyReport({ sendMailOnce }),
    cleanup_nightly: createCleanupNightly(cleanup),
    deliver_webhook: createDeliverWebhook(webhook),
    confirm_order: createConfirmOrder({ sendMailOnce }),
    handle_order: createHandleOrder(sendMailOnce),
    approve_credit: createApproveCredit({ sendMailOnce, apiUrl }),
  };
}

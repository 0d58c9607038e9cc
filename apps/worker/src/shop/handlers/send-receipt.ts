import type { sendReceipt } from '@duework/shop';
import type { Handler } from '@duework/queue-core';
import { writeReceiptMail } from '../receipt/write-receipt-mail.js';
import type { SendMailOnce } from '../send-mail-once.js';

/** Mails a receipt, once. Its whole text comes from the payload. */
export function createSendReceipt({ sendMailOnce }: { sendMailOnce: SendMailOnce }): Handler<typeof sendReceipt> {
  return (context) =>
    sendMailOnce(context, {
      key: `receipt:${context.payload.receiptId}`,
      compose: async () => writeReceiptMail(context.payload),
    });
}

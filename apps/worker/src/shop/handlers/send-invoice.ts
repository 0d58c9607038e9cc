import type { sendInvoice } from '@duework/shop';
import { bury, type Handler } from '@duework/queue-core';
import { toInvoice } from '../invoice/invoice.js';
import { renderInvoice } from '../invoice/render-invoice.js';
import { writeInvoiceMail } from '../invoice/write-invoice-mail.js';
import type { AttemptDatabase } from '../../bind-database.js';
import type { SendMailOnce } from '../send-mail-once.js';

/** Mails the PDF invoice of a paid order, once. The run is dead when the order is missing or unpaid. */
export function createSendInvoice({
  sendMailOnce,
}: {
  sendMailOnce: SendMailOnce;
}): Handler<typeof sendInvoice, AttemptDatabase> {
  return async (context) => {
    const { orderId } = context.payload;
    const order = await context.transaction((tx) =>
      tx.order.findUnique({
        where: { id: orderId },
        include: { user: true, items: { orderBy: { line: 'asc' } } },
      }),
    );
    if (order === null) return bury('order_not_found', `There is no order ${orderId}.`);
    const { paidAt } = order;
    if (paidAt === null)
      return bury('order_not_paid', `Order ${orderId} is ${order.status}, and an invoice is for a paid order.`);
    return sendMailOnce(context, {
      key: `invoice:${orderId}`,
      compose: async () => {
        const invoice = toInvoice({ ...order, paidAt });
        return writeInvoiceMail(invoice, await renderInvoice(invoice));
      },
    });
  };
}

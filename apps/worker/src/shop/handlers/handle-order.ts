import { cancelUnpaid, orderPaid, reserveStock, sendInvoice, sendReceipt, type handleOrder } from '@duework/shop';
import { bury, complete, type Handler } from '@duework/queue-core';
import type { AttemptDatabase } from '../../bind-database.js';
import { writeReviewMail } from '../review/write-review-mail.js';
import type { SendMailOnce } from '../send-mail-once.js';

/** Sees an order through, from what is reserved for it to the mail that asks for a review. */
export function createHandleOrder(sendMailOnce: SendMailOnce): Handler<typeof handleOrder, AttemptDatabase> {
  return async (context) => {
    const { step, transaction, waitFor, child, sleep } = context;
    const { orderId, payWithin, reviewAfter } = context.payload;
    const bought = await transaction((tx) => step.in(tx, 'reserve', (own) => reserveStock(own, orderId)));
    const paid = bought && (await waitFor(orderPaid, { where: { orderId }, timeout: payWithin }));
    if (paid === null) {
      // who pays at the very last moment has paid: the order's row decides
      const became = await transaction((tx) => step.in(tx, 'cancel', (own) => cancelUnpaid(own, orderId)));
      if (became !== 'paid') return complete('cancelled');
    }
    if (bought === null) return bury('sold_out', `Order ${orderId} is paid, and too little is left in stock.`);
    await child(sendInvoice, { orderId });
    await child(sendReceipt, { receiptId: `O-${orderId}`, ...bought });
    await sleep(reviewAfter, { name: 'until the review' });
    const compose = async () => writeReviewMail(orderId, bought.email);
    return sendMailOnce(context, { key: `review:${orderId}`, compose });
  };
}

import { cancelUnpaid, markOrderPaid, orderPaid, type approveCredit } from '@duework/shop';
import { bury, cancelJob, complete, signal, type Handler } from '@duework/queue-core';
import type { AttemptDatabase } from '../../bind-database.js';
import { writeDeskMail } from '../desk/write-desk-mail.js';
import { formatAmount } from '../invoice/format-amount.js';
import type { SendMailOnce } from '../send-mail-once.js';

const DESK = 'desk@duework.local';

export interface CreditOptions {
  readonly sendMailOnce: SendMailOnce;
  /** Where the API is mounted, whose page of the link asks for the decision. */
  readonly apiUrl: string;
}

/** Asks whether an order is shipped on account: if so it counts as paid, and if not it is cancelled with its job. */
export function createApproveCredit({
  sendMailOnce,
  apiUrl,
}: CreditOptions): Handler<typeof approveCredit, AttemptDatabase> {
  return async (context) => {
    const { step, transaction, waitForApproval } = context;
    const { orderId, within } = context.payload;
    const order = await transaction((tx) =>
      tx.order.findUnique({ where: { id: orderId }, include: { user: true, items: true } }),
    );
    if (order === null) return bury('order_not_found', `There is no order ${orderId}.`);
    const { currency, user, items, jobId } = order;
    const cents = items.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0);
    const title = `Ship order ${orderId} on account?`;
    const details = { Customer: user.email, Amount: `${currency} ${formatAmount(cents, currency)}` };
    const answer = await waitForApproval({
      title,
      details,
      choices: ['ship', 'refuse'],
      timeout: within,
      ask: async ({ link }) => {
        const compose = async () => writeDeskMail({ to: DESK, title, details, link: link({ to: DESK, url: apiUrl }) });
        const sent = await sendMailOnce(context, { key: `credit:${orderId}`, compose });
        // nobody would decide about a question that nobody has got
        if (sent.kind === 'bury') throw Object.assign(new Error(sent.reason), { code: sent.code });
      },
    });
    // the job of the order cancels what nobody has paid in time
    if (answer === null) return complete('nobody decided');
    if (answer.choice === 'refuse') {
      await transaction(async (tx) => {
        if ((await cancelUnpaid(tx, orderId)) === 'cancelled' && jobId !== null) await cancelJob(tx, jobId);
      });
      return complete(`refused, says ${answer.by}`);
    }
    const isShipped = await transaction((tx) =>
      step.in(tx, 'ship', async (own) => {
        const isPaid = await markOrderPaid(own, orderId);
        if (isPaid) await signal(own, orderPaid, { orderId });
        return isPaid;
      }),
    );
    return complete(isShipped ? `shipped, says ${answer.by}` : 'too late: the order was paid or cancelled');
  };
}

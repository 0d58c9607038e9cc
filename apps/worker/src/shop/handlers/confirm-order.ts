import type { confirmOrder } from '@duework/shop';
import { bury, rateLimited, type Handler } from '@duework/queue-core';
import type { AttemptDatabase } from '../../bind-database.js';
import { writeConfirmationMail } from '../confirmation/write-confirmation-mail.js';
import { SmtpError } from '../mail/smtp-error.js';
import type { SendMailOnce } from '../send-mail-once.js';

/** A mail server does not say when it takes mails again. */
const RETRY_AFTER = '10s';

/**
 * Mails that an order has come in, once. A server that says to come back later says so to everybody: until then nothing
 * is sent that shares its limit, and no attempt is charged.
 */
export function createConfirmOrder({
  sendMailOnce,
}: {
  sendMailOnce: SendMailOnce;
}): Handler<typeof confirmOrder, AttemptDatabase> {
  return async (context) => {
    const { orderId } = context.payload;
    const order = await context.transaction((tx) =>
      tx.order.findUnique({ where: { id: orderId }, include: { user: true } }),
    );
    if (order === null) return bury('order_not_found', `There is no order ${orderId}.`);
    try {
      return await sendMailOnce(context, {
        key: `confirmation:${orderId}`,
        compose: async () => writeConfirmationMail(orderId, order.user),
      });
    } catch (error) {
      if (error instanceof SmtpError && error.reply !== null) return rateLimited({ retryAfter: RETRY_AFTER });
      throw error;
    }
  };
}

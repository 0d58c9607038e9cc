import type { sendWeeklyReport } from '@duework/shop';
import { bury, type Handler } from '@duework/queue-core';
import { writeReportMail } from '../report/write-report-mail.js';
import type { AttemptDatabase } from '../../bind-database.js';
import type { SendMailOnce } from '../send-mail-once.js';

const DAY_MS = 86_400_000;

/**
 * Mails a user what they paid for from one UTC day up to and including another, once. The run is dead when the user was
 * deleted.
 */
export function createSendWeeklyReport({
  sendMailOnce,
}: {
  sendMailOnce: SendMailOnce;
}): Handler<typeof sendWeeklyReport, AttemptDatabase> {
  return async (context) => {
    const { userId, from, to } = context.payload;
    const start = new Date(`${from}T00:00:00Z`);
    const end = new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS);
    const user = await context.transaction((tx) =>
      tx.user.findUnique({
        where: { id: userId },
        include: {
          orders: {
            where: { status: 'PAID', paidAt: { gte: start, lt: end } },
            orderBy: [{ paidAt: 'asc' }, { id: 'asc' }],
            include: { items: { orderBy: { line: 'asc' } } },
          },
        },
      }),
    );
    if (user === null) return bury('user_not_found', `There is no user ${userId}.`);
    const orders = user.orders.flatMap(({ paidAt, ...order }) => (paidAt === null ? [] : [{ ...order, paidAt }]));
    return sendMailOnce(context, {
      key: `weekly_report:${userId}:${from}`,
      compose: async () => writeReportMail({ user, from, to, orders }),
    });
  };
}

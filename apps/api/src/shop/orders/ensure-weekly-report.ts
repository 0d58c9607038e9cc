import { sendWeeklyReport } from '@duework/shop';
import type { Prisma } from '@duework/database';
import { saveSchedule, due } from '@duework/schedules';

/**
 * Gives a user a report of the seven days before, on Monday at nine where they live. The schedule is written in the
 * transaction that writes the user, so a user who moves to another zone gets the report there from then on.
 */
export async function ensureWeeklyReport(
  tx: Prisma.TransactionClient,
  user: { readonly id: number; readonly timeZone: string },
): Promise<void> {
  const key = `weekly_report:user:${user.id}`;
  const known = await tx.schedule.findUnique({ where: { key }, select: { timeZone: true } });
  if (known?.timeZone === user.timeZone) return;
  await saveSchedule(tx, sendWeeklyReport, {
    key,
    cron: '0 9 * * 1',
    timeZone: user.timeZone,
    payload: { userId: user.id, from: due.date({ addDays: -7 }), to: due.date({ addDays: -1 }) },
    missed: 'latest',
    overlap: 'skip',
    // so that the users of one zone do not all get it in the same second
    splay: '10m',
  });
}

import { sendWeeklyReport } from '@duework/shop';
import type { Prisma } from '@duework/database';
import { saveSchedule, slot } from '@duework/schedules';

/**
 * Every user gets a report of the seven days before, on Monday at nine where they live. A schedule per user, in the
 * transaction that writes the user: one that moves to another zone gets the report there from now on.
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
    payload: { userId: user.id, from: slot.date({ addDays: -7 }), to: slot.date({ addDays: -1 }) },
    missed: 'latest',
    overlap: 'skip',
    // not all of a zone in the same second
    splay: '10m',
  });
}

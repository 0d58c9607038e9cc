import type { PrismaClient } from '@scope/db';
import type { catalog } from '@scope/jobs';
import type { Handlers } from 'duework';

/** What the worker does for each type of the catalog: a missing one does not compile. */
export const createHandlers = (prisma: PrismaClient): Handlers<typeof catalog> => ({
  welcome_user: async ({ payload, log, completeIn }) => {
    log.info({ userId: payload.userId }, 'greets a user');
    // the write and the job's completion commit together
    await prisma.$transaction(async (tx) => {
      await tx.user.update({ where: { id: payload.userId }, data: { welcomedAt: new Date() } });
      await completeIn(tx);
    });
  },
});

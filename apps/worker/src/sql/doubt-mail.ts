import { Prisma, type PrismaClient } from '@duework/database';

/** Nobody knows whether this mail left. False: the attempt that began it has said so meanwhile, or it is gone. */
export async function doubtMail(db: PrismaClient, key: string, { runId, fence }: { runId: string; fence: number }): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>(Prisma.sql`
    UPDATE shop.sent_emails SET status = 'unconfirmed'
    WHERE key = ${key}::text AND run_id = ${runId}::bigint AND fence = ${fence}::bigint AND status = 'sending'
    RETURNING key
  `);
  return rows.length === 1;
}

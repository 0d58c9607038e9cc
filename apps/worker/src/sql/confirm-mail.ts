import { Prisma, type PrismaClient } from '@duework/database';
import type { MailClaim } from './claim-mail.js';

/**
 * The server took the mail. An attempt that heard so after another one had already doubted it still says it: what it
 * knows is the truth. False: the claim is somebody else's by now.
 */
export async function confirmMail(db: PrismaClient, { key, runId, fence }: MailClaim): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>(Prisma.sql`
    UPDATE shop.sent_emails SET status = 'sent', sent_at = now()
    WHERE key = ${key}::text AND run_id = ${runId}::bigint AND fence = ${fence}::bigint AND status IN ('sending', 'unconfirmed')
    RETURNING key
  `);
  return rows.length === 1;
}

import { Prisma, type PrismaClient } from '@duework/database';
import type { MailClaim } from './claim-mail.js';

/** The mail did not leave, for sure: the next attempt may send it. Another attempt's claim is left alone. */
export async function forgetMail(db: PrismaClient, { key, runId, fence }: MailClaim): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    DELETE FROM shop.sent_emails
    WHERE key = ${key}::text AND run_id = ${runId}::bigint AND fence = ${fence}::bigint AND status <> 'sent'
    RETURNING key
  `);
}

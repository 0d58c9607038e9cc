import { Prisma, type PrismaClient } from '@duework/database';
import type { GuardedMail } from './find-mail.js';

/** One attempt's right to hand a mail over; every later write about the mail names key, run and fence. */
export interface MailClaim {
  readonly key: string;
  readonly messageId: string;
  readonly recipient: string;
  readonly runId: string;
  readonly fence: number;
}

/**
 * Writes the guard before the mail leaves. It takes the place of `doubted`, the unconfirmed one that an operator decided to
 * send again, and of no other. False: another attempt has been here since the caller looked, and nothing was written.
 */
export async function claimMail(db: PrismaClient, claim: MailClaim, doubted: GuardedMail | null): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>(Prisma.sql`
    INSERT INTO shop.sent_emails AS m (key, message_id, recipient, status, run_id, fence)
    VALUES (${claim.key}::text, ${claim.messageId}::text, ${claim.recipient}::text, 'sending', ${claim.runId}::bigint, ${claim.fence}::bigint)
    ON CONFLICT (key) DO UPDATE
    SET status = 'sending', recipient = excluded.recipient, run_id = excluded.run_id, fence = excluded.fence, started_at = now()
    WHERE m.status = 'unconfirmed' AND m.run_id = ${doubted?.runId ?? null}::bigint AND m.fence = ${doubted?.fence ?? null}::bigint
    RETURNING m.key
  `);
  return rows.length === 1;
}

import { Prisma, type PrismaClient } from '@duework/database';

/** The guard of one mail: who wrote it last, and how far that attempt got. */
export interface GuardedMail {
  readonly status: 'sending' | 'sent' | 'unconfirmed';
  readonly runId: string;
  readonly fence: number;
}

/** The guard under `key`; null: nobody has begun to hand this mail over. */
export async function findMail(db: PrismaClient, key: string): Promise<GuardedMail | null> {
  const [row] = await db.$queryRaw<GuardedMail[]>(Prisma.sql`
    SELECT status, run_id::text AS "runId", fence::float8 AS fence FROM shop.sent_emails WHERE key = ${key}::text
  `);
  return row ?? null;
}

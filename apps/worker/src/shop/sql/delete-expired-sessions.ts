import { Prisma } from '@duework/database';

/** Deletes up to `limit` expired sessions, and returns how many. Rows that another worker is deleting are skipped. */
export async function deleteExpiredSessions(db: Prisma.TransactionClient, limit: number): Promise<number> {
  return db.$executeRaw(Prisma.sql`
    DELETE FROM shop.sessions
    WHERE id = ANY(ARRAY(
      SELECT id FROM shop.sessions
      WHERE expires_at <= now()
      ORDER BY expires_at
      LIMIT ${limit}::integer
      FOR UPDATE SKIP LOCKED
    ))
  `);
}

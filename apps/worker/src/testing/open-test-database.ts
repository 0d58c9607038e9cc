import { connectPrisma, type PrismaClient } from '@duework/database';
import { createTestDatabase } from '@duework/database/testing';

/** A migrated database of a test file's own, and a client on it. */
export async function openTestDatabase(): Promise<{ url: string; db: PrismaClient; close(): Promise<void> }> {
  const database = await createTestDatabase();
  const db = connectPrisma({ url: database.url });
  return {
    url: database.url,
    db,
    async close() {
      await db.$disconnect();
      await database.drop();
    },
  };
}

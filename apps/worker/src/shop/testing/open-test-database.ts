import type { PrismaClient } from '@duework/database';
import { connectPatiently } from '@duework/database/testing';
import { createShopDatabase } from '@duework/shop/testing';

/** A migrated database for one test file, and a client on it. */
export async function openTestDatabase(): Promise<{ url: string; db: PrismaClient; close(): Promise<void> }> {
  const database = await createShopDatabase();
  const db = connectPatiently({ url: database.url });
  return {
    url: database.url,
    db,
    async close() {
      await db.$disconnect();
      await database.drop();
    },
  };
}

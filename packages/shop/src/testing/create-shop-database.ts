import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { migrateShop } from '../migrate-shop.js';

/** A database for one test file of the example: migrated, and with the shop's tables. */
export async function createShopDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await migrateShop({ url: database.url });
  return database;
}

import { expect } from '@jest/globals';
import { createTestDatabase } from '../testing/create-test-database.js';
import { describeDuework } from '../testing/describe-catalog.js';

/** Expects that the schema duework of a database is the one that `duework migrate` makes, definition by definition. */
export async function expectAsMigrated(url: string): Promise<void> {
  const migrated = await createTestDatabase();
  try {
    expect(await describeDuework(url)).toEqual(await describeDuework(migrated.url));
  } finally {
    await migrated.drop();
  }
}

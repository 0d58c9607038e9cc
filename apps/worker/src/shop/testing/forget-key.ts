import type { PrismaClient } from '@duework/database';

/** Ends the window of a key: the next enqueue makes a second run for the same business event. */
export async function forgetKey(db: PrismaClient, key: string): Promise<void> {
  await db.jobKey.deleteMany({ where: { key } });
}

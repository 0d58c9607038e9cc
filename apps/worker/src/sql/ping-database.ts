import { Prisma, type RawQueryable } from '@duework/database';

/** Resolves when the database answers. */
export async function pingDatabase(db: RawQueryable): Promise<void> {
  await db.$queryRaw(Prisma.sql`SELECT 1 AS one`);
}

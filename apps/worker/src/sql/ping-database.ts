import { Prisma, type PrismaClient } from '@duework/database';

/** Resolves when the database answers. */
export async function pingDatabase(db: PrismaClient): Promise<void> {
  await db.$queryRaw(Prisma.sql`SELECT 1 AS one`);
}

import { Prisma, type PrismaClient } from '@duework/database';

/** How many runs were given up within the last hour. */
export async function countDeadJobs(db: PrismaClient): Promise<number> {
  const [row] = await db.$queryRaw<[{ count: number }]>(Prisma.sql`
    -- a literal, for the partial index on dead runs
    SELECT count(*)::integer AS count FROM duework.job_history WHERE status = 'dead' AND finished_at > now() - interval '1 hour'
  `);
  return row.count;
}

import { Prisma, type PrismaClient } from '@duework/database';

/** The tables in which a text is anywhere. */
export async function tablesWith(db: PrismaClient, text: string): Promise<string[]> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'duework'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRaw<{ n: number }[]>(
      Prisma.sql`SELECT count(*)::integer AS n FROM ${Prisma.raw(`duework.${name}`)} AS t WHERE strpos(t::text, ${text}) > 0`,
    );
    if (rows[0]!.n > 0) found.push(name);
  }
  return found;
}

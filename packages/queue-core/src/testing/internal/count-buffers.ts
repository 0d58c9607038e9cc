import { Prisma } from '@duework/database';
import type { Queryable } from '../../sql/sql.js';

/**
 * Buffers that the product's own statement touches, its parameters written in: a plan that walks the table shows as thousands.
 * `answer` is the row that `act` gets, so that it can end.
 */
export async function countBuffers(
  db: Queryable,
  act: (db: Queryable) => Promise<unknown>,
  answer: object,
): Promise<number> {
  let text = '';
  const spy = {
    $queryRaw: async (query: { sql: string; values: unknown[] }) => {
      let index = 0;
      text = query.sql.replaceAll('?', () => literal(query.values[index++]));
      return [answer];
    },
  };
  await act(spy as never);
  const [plan] = await db.$queryRaw<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
    Prisma.raw(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`),
  );
  const root = plan!['QUERY PLAN'][0]!.Plan;
  return root['Shared Hit Blocks']! + root['Shared Read Blocks']!;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(',')}]`;
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

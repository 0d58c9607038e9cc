import type { Queryable, Sql } from './sql.js';

/** Runs the statements of this package on a connection that is not Prisma's; `query` takes a text with $1, $2, … */
export function queryText(query: (text: string, values: unknown[]) => Promise<unknown[]>): Queryable {
  return { $queryRaw: async <T>(statement: Sql) => (await query(statement.text, statement.values)) as T };
}

import type { Queryable, Statement } from './sql.js';

/** The text of a statement, with $1, $2, …, for a connection that does not go through Prisma. */
export function statementText(run: (db: Queryable) => unknown): string {
  let text = '';
  void run({
    $queryRaw: async <T>(statement: Statement) => {
      text = statement.text;
      return [] as T;
    },
  });
  return text;
}

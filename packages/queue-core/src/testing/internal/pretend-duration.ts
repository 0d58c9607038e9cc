import type { Queryable } from '../../sql/sql.js';

/** A database whose statements say that they took so long in the server, whatever they took. */
export function pretendDuration(db: Queryable, tookMs: () => number): Queryable {
  return {
    $queryRaw: async <T>(query: never, ...values: never[]) => {
      const rows = await db.$queryRaw<object[]>(query, ...values);
      return rows.map((row) => ({ ...row, took_ms: tookMs() })) as T;
    },
  };
}

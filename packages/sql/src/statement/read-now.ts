import { queryRows } from './query-rows.js';
import { sql, type Queryable } from './sql.js';

/** The database's clock, in milliseconds since 1970; it advances inside a transaction too. */
export async function readNow(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ now_ms: number }>(
    db,
    sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`,
  );
  return row!.now_ms;
}

import { sql, type Sql } from '@duework/sql';

/** The moment `run_at` of row `x`; with the microseconds that it had in `row`, where it is the same millisecond. */
export const exactly = (column: string): Sql => sql`CASE
          WHEN date_trunc('milliseconds', (x.row ->> ${column}::text)::timestamptz) = x.run_at
          THEN (x.row ->> ${column}::text)::timestamptz ELSE x.run_at
        END`;

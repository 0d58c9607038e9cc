import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** The last commit that a standby has replayed; null: it is no standby, or has replayed none since it started. */
export async function readAsOf(db: Queryable): Promise<Date | null> {
  const [row] = await queryRows<{ asOf: Date | null }>(
    db,
    sql`SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_xact_replay_timestamp() END AS "asOf"`,
  );
  return row!.asOf;
}

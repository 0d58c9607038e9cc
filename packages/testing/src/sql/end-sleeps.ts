import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Lets the time of every wait be over that has one, of runs that wait for it. */
export async function endSleeps(db: Queryable): Promise<void> {
  await queryRows(
    db,
    sql`UPDATE duework.job_steps SET wakes_at = now() WHERE status = 'waiting' AND wakes_at > now() RETURNING 1 AS one`,
  );
}

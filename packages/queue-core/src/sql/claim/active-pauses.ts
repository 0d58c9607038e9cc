import { sql, type Sql } from '@duework/sql';

/**
 * The pauses that hold. Sampled whole, because a worker's sessions avoid sequential scans: an index would cost every claim
 * a buffer while nothing is paused, and the empty table costs none.
 */
export const activePauses: Sql = sql`(
        SELECT kind, name, since, until, by, reason
        FROM duework.pauses TABLESAMPLE SYSTEM (100)
        WHERE until IS NULL OR until > now()
      )`;

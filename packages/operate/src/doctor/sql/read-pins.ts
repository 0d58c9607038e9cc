import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

/** Whoever keeps vacuum from removing dead rows. */
export interface PinFacts {
  readonly kind: 'session' | 'prepared_transaction' | 'replication_slot' | 'standby';
  readonly pid: number | null;
  readonly name: string | null;
  readonly application: string | null;
  readonly state: string | null;
  readonly pinnedSeconds: number;
  readonly remedy: string;
}

/** The view `horizon_pins`, without the texts of statements, which may name people. */
export function readPins(db: Queryable): Promise<PinFacts[]> {
  return queryRows(
    db,
    sql`
    SELECT kind, pid, name::text AS name, application_name AS application, state, pinned_seconds AS "pinnedSeconds", remedy
    FROM duework.horizon_pins
    ORDER BY pinned_seconds DESC
    LIMIT 20
  `,
  );
}

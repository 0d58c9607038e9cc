import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { PlaceKind } from '../workflow-type.js';

/** Steps of all types, and waits that are looked at: each takes 2 µs. */
export const MOST_STEPS = 200;
const BUDGET = 20_000;

export interface WaitingRow {
  readonly type: string;
  readonly step: string;
  readonly kind: PlaceKind;
  readonly of: string | null;
  readonly jobs: number;
  readonly isAtLeast: boolean;
  readonly sinceMs: number;
}

/** At which steps live runs wait. A step at which only ended runs have left a wait is left out. `isComplete`: there are no more steps. */
export async function findWaiting(db: Queryable): Promise<{ rows: WaitingRow[]; isComplete: boolean }> {
  const rows = await queryRows<Omit<WaitingRow, 'sinceMs'> & { sinceMs: number | null }>(
    db,
    sql`
    SELECT job_type AS type, step, kind, of, jobs, is_at_least AS "isAtLeast", (extract(epoch FROM since) * 1000)::float8 AS "sinceMs"
    FROM duework.find_waiting_steps(${MOST_STEPS}::integer, ${BUDGET}::integer)
  `,
  );
  return {
    rows: rows.filter((row): row is WaitingRow => row.jobs > 0 && row.sinceMs !== null),
    isComplete: rows.length < MOST_STEPS,
  };
}

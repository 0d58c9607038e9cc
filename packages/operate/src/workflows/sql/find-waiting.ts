import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { PlaceKind } from '../workflow-type.js';

/** Steps of all types, and waits that are counted. */
export const MOST_STEPS = 200;
const BUDGET = 30_000;

export interface WaitingRow {
  readonly type: string;
  readonly step: string;
  readonly kind: PlaceKind;
  readonly signal: string | null;
  readonly jobs: number;
  readonly isAtLeast: boolean;
  readonly sinceMs: number;
}

/** At which steps live runs wait. `isComplete`: there are no more steps. */
export async function findWaiting(db: Queryable): Promise<{ rows: WaitingRow[]; isComplete: boolean }> {
  const rows = await queryRows<WaitingRow>(
    db,
    sql`
    SELECT job_type AS type, step, kind, of AS signal, jobs, is_at_least AS "isAtLeast", (extract(epoch FROM since) * 1000)::float8 AS "sinceMs"
    FROM duework.find_waiting_steps(${MOST_STEPS}::integer, ${BUDGET}::integer)
  `,
  );
  return { rows, isComplete: rows.length < MOST_STEPS };
}

import type { GatesSettled } from '../flow/note-gates.js';
import {
  copiedColumns,
  inputOf,
  insertAttempts,
  insertHistory,
  passGates,
  stillOurs,
  type AbortColumns,
} from '../fragments.js';
import { empty, queryRows, sql, type Queryable } from '@duework/sql';

/**
 * An attempt that ended because its run is cancelled; `by` and `reason` are used where nobody had asked to cancel it.
 */
export interface CancelledAttempt extends AbortColumns {
  readonly id: string;
  readonly fence: number;
  readonly by: string | null;
  readonly reason: string | null;
}

/**
 * Cancels running runs for good: the worker's answer to a request to cancel, or its own wish for work that may be
 * dropped. Fenced; returns the ids that were settled.
 */
export function confirmCancels(
  db: Queryable,
  batch: readonly CancelledAttempt[],
  gates: GatesSettled = null,
): Promise<{ id: string }[]> {
  return queryRows(
    db,
    sql`
    WITH ${inputOf(batch, sql`, by text, reason text, abort_code text, abort_stage text`)},
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE ${stillOurs}
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'cancelled', r.failed_at, r.error_code, r.error_type, r.last_error,
        coalesce(r.cancel_requested_at, now()), coalesce(r.cancel_requested_by, i.by), coalesce(r.cancel_reason, i.reason),
        NULL::jsonb
      FROM r JOIN input AS i ON i.id = r.id
    ),
    attempted AS (
      ${insertAttempts(sql`r`)},
        'cancelled', NULL, NULL,
        coalesce(r.cancel_reason, i.reason), NULL, i.abort_code, i.abort_stage
      FROM r JOIN input AS i ON i.id = r.id
    )${gates !== null ? sql`, ${passGates(gates.notes, sql`r`)}` : empty}
    SELECT id::text AS id${gates !== null ? sql`, (SELECT cardinality(runs) FROM passed) AS passed` : empty} FROM r
  `,
  );
}

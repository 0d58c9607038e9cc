import type { GatesSettled } from '../flow/note-gates.js';
import {
  copiedColumns,
  errorColumns,
  inputOf,
  insertAttempts,
  insertHistory,
  passGates,
  stillOurs,
} from '../fragments.js';
import { empty, queryRows, sql, type Queryable } from '@duework/sql';
import type { FailedAttempt } from './fail-runs.js';

/**
 * Gives runs up: moves them to the history as dead, with the attempt that ended them. Fenced; returns the ids that were
 * settled.
 */
export function buryRuns(
  db: Queryable,
  batch: readonly FailedAttempt[],
  gates: GatesSettled = null,
): Promise<{ id: string }[]> {
  return queryRows(
    db,
    sql`
    WITH ${inputOf(batch, errorColumns)},
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE ${stillOurs}
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'dead', now(), i.code, i.error_type, i.message,
        r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, NULL::jsonb
      FROM r JOIN input AS i ON i.id = r.id${gates !== null ? sql` RETURNING gates` : empty}
    ),
    attempted AS (
      ${insertAttempts(sql`r`, sql`i.logs`)},
        'failed', i.code, i.error_type, i.message, i.stack,
        i.abort_code, i.abort_stage
      FROM r JOIN input AS i ON i.id = r.id
    )${
      // of what is written in the history: a dead run may keep its order, and what nobody reads is written last
      gates !== null ? sql`, ${passGates(gates.notes, sql`recorded`)}` : empty
    }
    SELECT id::text AS id${gates !== null ? sql`, (SELECT cardinality(runs) FROM passed) AS passed` : empty} FROM r
  `,
  );
}

import type { GatesSettled } from '../flow/note-gates.js';
import { errorColumns, type AbortColumns } from '../fragments.js';
import { requeueOwned, type Requeued } from '../leases/requeue-owned.js';
import { empty, sql, type Queryable } from '@duework/sql';

/** An attempt that failed, with what is worth keeping of the error; message and stack are bounded by the caller. */
export interface FailedAttempt extends AbortColumns {
  readonly id: string;
  readonly fence: number;
  readonly code: string;
  readonly error_type: string;
  readonly message: string;
  readonly stack: string | null;
  readonly logs?: string;
}

/** Writes failed attempts, whose runs are retried after their delay. The attempt stays charged, unless a breaker had
 * opened: what is tried then costs the run nothing. Fenced. */
export function failRuns(
  db: Queryable,
  batch: readonly (FailedAttempt & { readonly delay_ms: number })[],
  gates: GatesSettled = null,
): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    gates: gates === null ? undefined : { how: 'pass', notes: gates.notes },
    columns: sql`${errorColumns}, delay_ms float8`,
    set: sql`status = 'failed', run_at = now() + i.delay_ms * interval '1 millisecond',
      failed_at = now(), error_code = i.code, error_type = i.error_type, last_error = i.message${
        gates === null ? empty : sql`, attempts = j.attempts - duework.is_tried(j.gates)::integer`
      }`,
    attempt: sql`'failed', i.code, i.error_type, i.message, i.stack, i.abort_code, i.abort_stage`,
    logs: sql`i.logs`,
  });
}

import type { GatesSettled } from '../flow/note-gates.js';
import { requeueOwned, type Requeued } from '../leases/requeue-owned.js';
import { sql, type Queryable } from '@duework/sql';

export interface LeftRun {
  readonly id: string;
  readonly fence: number;
  readonly code: string;
  readonly error_type: string;
  readonly message: string;
  readonly delay_ms: number;
}

/**
 * Leaves runs that this worker cannot read to another one: due again after a delay, so that they are not claimed in
 * circles, and neither charged nor recorded, because nothing was attempted. Their rows say why they wait. Fenced.
 */
export function leaveRuns(db: Queryable, batch: readonly LeftRun[], gates: GatesSettled = null): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    gates: gates === null ? undefined : { how: 'pass', notes: gates.notes },
    columns: sql`, code text, error_type text, message text, delay_ms float8`,
    set: sql`status = 'queued', attempts = j.attempts - 1,
      run_at = now() + i.delay_ms * interval '1 millisecond',
      error_code = i.code, error_type = i.error_type, last_error = i.message`,
    attempt: null,
  });
}

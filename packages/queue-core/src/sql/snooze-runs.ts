import { requeueOwned, type Requeued } from './requeue-owned.js';
import { sql, type Queryable } from './sql.js';

/** Run again after its delay; the attempt is not charged and leaves no trace, because nothing failed. Fenced. */
export function snoozeRuns(
  db: Queryable,
  batch: readonly { readonly id: string; readonly fence: number; readonly delay_ms: number }[],
): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    columns: sql`, delay_ms float8`,
    set: sql`status = 'queued', run_at = now() + i.delay_ms * interval '1 millisecond', attempts = j.attempts - 1`,
    attempt: null,
  });
}

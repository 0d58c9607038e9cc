import { requeueOwned, type Requeued } from './requeue-owned.js';
import { empty, sql, type Queryable } from './sql.js';

/**
 * The worker's answer to a request to cancel: the handler has ended, and the run is cancelled. Fenced. A run that nobody
 * asked to cancel is released instead.
 */
export function stopRuns(db: Queryable, batch: readonly { readonly id: string; readonly fence: number }[]): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    columns: empty,
    set: sql`status = 'queued', attempts = j.attempts - 1`,
    attempt: null,
  });
}

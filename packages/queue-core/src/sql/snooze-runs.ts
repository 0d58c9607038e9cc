import { SNOOZE_LIMIT } from '../ports/runs.js';
import { requeueOwned, type Requeued } from './requeue-owned.js';
import { sql, type Queryable } from './sql.js';

export interface Snooze {
  readonly id: string;
  readonly fence: number;
  readonly delay_ms: number;
  readonly max_snoozes: number;
}

/**
 * Run again after its delay; the attempt is not charged, because nothing failed, but counted on the run with its time. That is its
 * trace: a row for each would be a thousand rows for a run that nothing is wrong with. A run that has used up its snoozes is
 * dead, and that is an attempt on record. Fenced.
 */
export function snoozeRuns(db: Queryable, batch: readonly Snooze[]): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    columns: sql`, delay_ms float8, max_snoozes integer`,
    set: sql`status = 'queued', run_at = now() + i.delay_ms * interval '1 millisecond', attempts = j.attempts - 1,
      snoozes = j.snoozes + 1, snoozed_at = now()`,
    attempt: null,
    // guard: snooze-limit
    bury: { ...SNOOZE_LIMIT, when: sql`o.snoozes >= i.max_snoozes` },
    // guard end: snooze-limit
  });
}

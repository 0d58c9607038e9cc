import type { GatesSettled } from '../flow/note-gates.js';
import { SNOOZE_LIMIT, UNCOUNTED_SNOOZES } from '../../ports/runs.js';
import { requeueOwned, type Requeued } from '../leases/requeue-owned.js';
import { sql, type Queryable } from '@duework/sql';

export interface Snooze {
  readonly id: string;
  readonly fence: number;
  readonly delay_ms: number;
  readonly max_snoozes: number;
  /** ISO 8601: until then, or until what the run waits for has come, instead of the delay; null: it does not wait. */
  readonly wakes_at: string | null;
  /** false: its handler was not called; not given: it was. */
  readonly has_begun?: boolean;
}

/**
 * Snoozes runs until their delay is over. The attempt is not charged, because nothing failed, and not recorded: a run
 * that is well could leave a thousand rows. The run's own row counts its snoozes and has the time of the last one, which
 * says that it has begun. A run that has used up its snoozes is dead, and that attempt is recorded. Fenced.
 */
export function snoozeRuns(db: Queryable, batch: readonly Snooze[], gates: GatesSettled = null): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    gates: gates === null ? undefined : { how: 'pass', notes: gates.notes },
    columns: sql`, delay_ms float8, max_snoozes integer, wakes_at timestamptz, has_begun boolean`,
    // of a row that is locked: what has ended one of its waits until now has written that in its terms
    set: sql`status = 'queued', run_at = CASE
        WHEN i.wakes_at IS NULL THEN now() + i.delay_ms * interval '1 millisecond'
        WHEN j.terms -> 'woken' = to_jsonb(j.fence) THEN now()
        ELSE i.wakes_at
      END, attempts = j.attempts - 1,
      snoozes = j.snoozes + (i.max_snoozes IS DISTINCT FROM ${UNCOUNTED_SNOOZES}::integer)::integer,
      snoozed_at = CASE WHEN i.has_begun IS FALSE THEN j.snoozed_at ELSE now() END,
      terms = CASE WHEN i.wakes_at IS NULL THEN j.terms
        ELSE coalesce(j.terms, '{}') - 'woken' || jsonb_build_object('suspended', j.fence) END`,
    attempt: null,
    bury: { ...SNOOZE_LIMIT, when: sql`o.snoozes >= i.max_snoozes` },
  });
}

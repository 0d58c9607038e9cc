import { DueworkError, type Job, type Queryable } from '@duework/queue-core';
import { findEndedJobs } from './sql/find-ended-jobs.js';

export interface EndedJobsOptions {
  /** The cursor of the page before; `'now'`: the cursor of now, without jobs. Absent: from the oldest. */
  readonly after?: string | undefined;
  /** Only jobs of these types; absent: of all. */
  readonly types?: readonly string[] | undefined;
  /** 1 to 200, 50 unless given. */
  readonly limit?: number | undefined;
}

/** In the order in which they ended. */
export interface EndedJobs {
  /** Succeeded, dead and cancelled, expired too; none: nothing has ended yet. */
  readonly jobs: readonly Job[];
  /** Store it once you have handled the jobs. */
  readonly cursor: string;
  /** false: more has ended. */
  readonly isCaughtUp: boolean;
}

const MAX_LIMIT = 200;
const CURSOR = /^(now|\d{1,19}(-\d{1,18}){2}-\d{1,6})$/;

/**
 * The jobs that have ended behind a cursor: each end at least once, whatever order their transactions commit in, also
 * after a crash of whoever reads them. A page waits for the oldest transaction that writes in this PostgreSQL. A job that
 * is retried before you read its end is told when it ends again; one that retention has removed is not told.
 *
 * Throws `invalid_option`, `invalid_cursor`, and `cursor_ahead` if this database never came, or does not know any more,
 * that far: it was restored, or is another one.
 */
export async function readEndedJobs(db: Queryable, options: EndedJobsOptions = {}): Promise<EndedJobs> {
  const { after, types = null, limit = 50 } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new DueworkError('invalid_option', {
      option: 'limit',
      expected: `a whole number from 1 to ${MAX_LIMIT}`,
      value: limit,
    });
  if (after !== undefined && !CURSOR.test(after)) throw new DueworkError('invalid_cursor', { cursor: after });
  const { cursor, ...page } = await findEndedJobs(db, { after: after ?? null, types, limit });
  // only a cursor that was given can be ahead
  if (cursor === null) throw new DueworkError('cursor_ahead', { cursor: after! });
  return { ...page, cursor };
}

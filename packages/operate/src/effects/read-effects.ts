import { getJob, type Queryable } from '@duework/queue-core';
import type { Effect } from './effect.js';
import { findEffects } from './sql/find-effects.js';

/**
 * The effects of a job, the first first, at most 100: those that it tried last, and those of its key, which an earlier job may
 * have done. Throws `invalid_job_id`, `job_not_found`.
 */
export async function readEffects(db: Queryable, id: string): Promise<readonly Effect[]> {
  const { job } = await getJob(db, id);
  const rows = await findEffects(db, job);
  return rows.map(({ started_ms, done_ms, job_id, ...same }) => ({
    ...same,
    jobId: job_id,
    startedAt: new Date(started_ms),
    doneAt: done_ms === null ? null : new Date(done_ms),
  }));
}

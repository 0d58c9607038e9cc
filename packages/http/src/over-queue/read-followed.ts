import { createHash } from 'node:crypto';
import { FOLLOWED_PAGE_SIZE, type JobState } from '@duework/operate';
import { DueworkError, type Job, type JobQueue } from '@duework/queue-core';
import type { ReadFollowed } from '../create-routes.js';
import { readListing } from './read-listing.js';

/** Jobs of a question of many, at once. */
const AT_ONCE = 20;

/** Reads what somebody follows through the queue: jobs one by one, and the first page of a listing. */
export const readFollowedOf = (queue: JobQueue): ReadFollowed => ({
  async readStates(ids) {
    const states: JobState[] = [];
    for (let from = 0; from < ids.length; from += AT_ONCE)
      states.push(...(await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => readState(queue, id)))).flat());
    return states;
  },
  async readPage(filter) {
    const listing = readListing(filter);
    const page =
      listing === null
        ? { jobs: [], nextCursor: null }
        : await queue.findJobs({ ...listing, limit: FOLLOWED_PAGE_SIZE });
    return { jobs: page.jobs.map(toListed), nextCursor: page.nextCursor, isComplete: true, hint: null };
  },
});

/** None where the job is not there. */
async function readState(queue: JobQueue, id: string): Promise<readonly JobState[]> {
  try {
    return [toState((await queue.getJob(id)).job)];
  } catch (error) {
    if (DueworkError.is(error, 'job_not_found')) return [];
    throw error;
  }
}

function toState(job: Job): JobState {
  const { id, type, queue, status, attempts, maxAttempts, progress, errorCode, heldBy } = job;
  const state = {
    ...{ id, type, queue, status, attempts, maxAttempts, progress, errorCode, heldBy },
    runAt: job.runAt.toISOString(),
    claimedAt: job.claimedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    cancelRequestedAt: job.cancelRequestedAt?.toISOString() ?? null,
  };
  const seen = JSON.stringify([state, job.fence]);
  return { ...state, revision: createHash('sha256').update(seen).digest('hex').slice(0, 16) };
}

/** Without what may be large, and what changes at every heartbeat. */
function toListed({
  payload: _payload,
  result: _result,
  meta: _meta,
  gates: _gates,
  lockedUntil: _until,
  ...listed
}: Job) {
  return listed;
}

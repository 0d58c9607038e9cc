import { DueworkError } from '@duework/sql/errors';
import type { JobQueue } from '@duework/queue-core';
import { forwardJob, type Forwarded } from '@duework/shards';
import type { Duration } from '@duework/contracts';
import { readJobId } from '../jobs/job-id.js';

/** Acts on a job where it is: an id of the table may be that of a forward, and the job be in Redis. */
export type Follow = <T>(
  id: string,
  act: (queue: JobQueue, id: string) => Promise<T>,
  wait?: { readonly wait?: Duration; readonly signal?: AbortSignal },
) => Promise<T>;

/**
 * Whose id is that of the dedicated queue is asked there. One of the table is asked in the table; where it is a forward that
 * has been carried, what it has become is asked in its place. `wait`: for how long a forward that is on its way is waited for.
 */
export function follow({ table, dedicated }: { readonly table: JobQueue; readonly dedicated: JobQueue }): Follow {
  return async (id, act, wait) => {
    if (readJobId(id) !== null) return act(dedicated, id);
    const carried = await findCarried(table, id, wait);
    if (carried !== null) return act(dedicated, carried.id);
    try {
      return await act(table, id);
    } catch (error) {
      // it may have been carried since
      const since = DueworkError.is(error) ? await findCarried(table, id) : null;
      if (since === null) throw error;
      return act(dedicated, since.id);
    }
  };
}

/** What a forward has become; null: it is none, or has not been carried. */
async function findCarried(
  table: JobQueue,
  id: string,
  wait?: { readonly wait?: Duration; readonly signal?: AbortSignal },
): Promise<Forwarded | null> {
  const { job } = await table.getJob(id);
  if (job.type !== forwardJob.type) return null;
  if (job.status === 'succeeded') return job.result as unknown as Forwarded;
  if (wait?.wait === undefined) return null;
  return (await table.result(forwardJob, id, wait)) as unknown as Forwarded;
}

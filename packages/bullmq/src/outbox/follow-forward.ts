import type { Duration } from '@duework/contracts';
import type { JobQueue } from '@duework/queue-core';
import { forwardJob, type Forwarded } from '@duework/shards';
import { DueworkError } from '@duework/sql/errors';
import { readJobId } from '../jobs/job-id.js';
import { type KnowsMoves, MOVED_TO } from '../operate/find-moved.js';

interface Wait {
  readonly wait?: Duration;
  readonly signal?: AbortSignal;
}

interface Place {
  readonly queue: JobQueue;
  readonly id: string;
}

/** Acts on a job where it is: what it was enqueued as may have gone to Redis since, or come back. */
export type Follow = <T>(id: string, act: (queue: JobQueue, id: string) => Promise<T>, wait?: Wait) => Promise<T>;

/**
 * Follows an id of the table from a forward to what it has become in Redis, and one of Redis to where it has come back. `wait`:
 * for how long a forward that is on its way is waited for.
 */
export function follow(queues: { readonly table: JobQueue; readonly dedicated: JobQueue }): Follow {
  return async (id, act, wait) => {
    let place = await findPlace(queues, id, wait);
    for (;;)
      try {
        return await act(place.queue, place.id);
      } catch (error) {
        // it may have gone on since
        const since = DueworkError.is(error) ? await findPlace(queues, place.id) : place;
        if (since.id === place.id) throw error;
        place = since;
      }
  };
}

async function findPlace(
  { table, dedicated }: { readonly table: JobQueue; readonly dedicated: JobQueue },
  given: string,
  wait?: Wait,
): Promise<Place> {
  for (let id = given; ;) {
    const queue = readJobId(id) === null ? table : dedicated;
    const next = queue === table ? await findCarried(table, id, wait) : await findMoved(dedicated, id);
    if (next === null) return { queue, id };
    id = next;
  }
}

/** What a forward has become; null: it is none, or has not been carried. */
async function findCarried(table: JobQueue, id: string, wait?: Wait): Promise<string | null> {
  const { job } = await table.getJob(id);
  if (job.type !== forwardJob.type) return null;
  if (job.status === 'succeeded') return (job.result as unknown as Forwarded).id;
  if (wait?.wait === undefined) return null;
  return ((await table.result(forwardJob, id, wait)) as unknown as Forwarded).id;
}

/** Where a job has come back; null: it is in Redis, or on its way. */
const findMoved = async (dedicated: JobQueue, id: string): Promise<string | null> =>
  (await (dedicated as Partial<KnowsMoves>)[MOVED_TO]?.(id)) ?? null;

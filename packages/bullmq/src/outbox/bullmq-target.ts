import type { EnqueuedJob, NewRun } from '@duework/queue-core/ports';
import { sendThroughHook } from '@duework/queue-core/internals';
import type { CarriedForward, ForwardTarget } from '@duework/shards';
import { DueworkError } from '@duework/sql/errors';
import { writeRuns, type Delivery } from '../enqueue/write-runs.js';
import { toForwardedId } from '../jobs/job-id.js';
import { Queues, type BullmqConnection } from '../redis/queues.js';
import { passKeysOn } from './pass-keys-on.js';
import { askQuickly, openQuickly } from './quick-redis.js';

/** A target of forwards; `close` ends its connection. */
export interface BullmqTarget extends ForwardTarget {
  close(): void;
}

/**
 * The dedicated queue as a target of forwards. A forward becomes the job of BullMQ whose id is made of the database's
 * name and its own, so BullMQ ignores a repeat as long as it keeps the job. It has its own second connection, on which
 * nothing waits for an unavailable Redis.
 *
 * @throws DueworkError `invalid_option` for a prefix that the connection cannot have
 */
export function bullmqTarget({ connection, ...options }: BullmqConnection): BullmqTarget {
  const own = openQuickly(connection);
  const queues = new Queues({ connection: own, ...options });
  return {
    async carry(from, forwards) {
      forwards.forEach(checkPayload);
      const deliveries = forwards.map(({ id, createdAtMs }) => ({ jobId: toForwardedId(from, id), createdAtMs }));
      const jobs = await sendThroughHook(forwards.map(shortenWindow), (runs) =>
        askQuickly(own, () => write(queues, runs, deliveries)),
      );
      return jobs.map(({ id, isDeduplicated }) => ({ id, deduplicated: isDeduplicated }));
    },
    close: () => own.disconnect(),
  };
}

/** Writes the jobs, also those whose key is one of a job that has gone back to the table from which they come. */
async function write(
  queues: Queues,
  runs: readonly NewRun[],
  deliveries: readonly Delivery[],
): Promise<readonly EnqueuedJob[]> {
  const jobs = await writeRuns(queues, runs, deliveries);
  const taken = [...runs.keys()].filter((at) => jobs[at]!.isDeduplicated && runs[at]!.key !== null);
  if (taken.length === 0) return jobs;
  const held = taken.map((at) => ({ type: runs[at]!.type, key: runs[at]!.key!, holder: jobs[at]!.id }));
  const arePassedOn = await passKeysOn(queues, held);
  const again = taken.filter((_, n) => arePassedOn[n]);
  const written = await writeRuns(
    queues,
    again.map((at) => runs[at]!),
    again.map((at) => deliveries[at]!),
  );
  again.forEach((at, n) => (jobs[at] = written[n]!));
  return jobs;
}

/** The window of its key counts from the moment at which the caller enqueued. */
function shortenWindow({ run, createdAtMs }: CarriedForward): NewRun {
  if (run.keyWindowMs === null) return run;
  return { ...run, keyWindowMs: Math.max(1, createdAtMs + run.keyWindowMs - Date.now()) };
}

/** It may be written by another program. */
function checkPayload({ run: { type, payloadJson } }: CarriedForward): void {
  try {
    JSON.parse(payloadJson);
  } catch (cause) {
    throw new DueworkError('payload_not_storable', { type, reason: 'it is no JSON' }, { cause });
  }
}

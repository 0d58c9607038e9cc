import type { JobContract, PayloadInput } from '@duework/contracts';
import {
  enqueue,
  jobRequest,
  type EnqueuedJob,
  type EnqueueOptions,
  type JobQueue,
  type Queryable,
} from '@duework/queue-core';
import { makeNewRun } from '@duework/queue-core/ports';
import { forwardJob } from './forward-contract.js';
import { checkShardName } from '@duework/queue-core/internals';

/** A payload of 64 KiB is at most so long as a text in another payload. */
const FORWARD_LIMIT_BYTES = 512 * 1024;

/**
 * Enqueues a job in the shard `to` from a transaction of another one: a forward is written through `from`, commits or
 * rolls back with it, and a worker of that shard carries it over, exactly once. `from`: a client or a transaction, or
 * the queue of a shard (`shards.in('app', tx)`), whose ids name it. Returns the forward; its result has the id of its
 * job. Throws what `enqueue` throws for the job, and `invalid_option` for an invalid name; only the worker knows
 * whether that shard exists.
 */
export async function forward<C extends JobContract>(
  from: Queryable | JobQueue,
  to: string,
  contract: C,
  payload: PayloadInput<C>,
  options: EnqueueOptions = {},
): Promise<EnqueuedJob> {
  checkShardName(to);
  const carried = { to, run: makeNewRun(jobRequest(contract, payload, options)) };
  const given: EnqueueOptions = {
    payloadLimitBytes: FORWARD_LIMIT_BYTES,
    ...(options.meta === undefined ? {} : { meta: options.meta }),
  };
  return isQueue(from) ? from.enqueue(forwardJob, carried, given) : enqueue(from, forwardJob, carried, given);
}

function isQueue(from: Queryable | JobQueue): from is JobQueue {
  return typeof (from as Partial<JobQueue>).enqueueMany === 'function';
}

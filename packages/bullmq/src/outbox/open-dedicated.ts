/**
 * One queue for a product of which some types live in a dedicated queue on Redis, and all others in the table. In a
 * transaction a job of such a type is a forward, which commits or rolls back with it; a worker carries it to Redis, once.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  enqueueMany,
  getJob,
  jobRequest,
  openQueue,
  type EnqueuedJob,
  type JobQueue,
  type JobRequest,
  type Transactable,
} from '@duework/queue-core';
import { checkCapabilities, checkContracts, makeNewRun, type NewRun } from '@duework/queue-core/ports';
import { forwardJob, turnIntoForwards, type Forward } from '@duework/shards';
import { inTransaction, type Queryable } from '@duework/sql';
import { BULLMQ_CAPABILITIES } from '../capabilities.js';
import { follow, type Follow } from './follow-forward.js';

/** What enqueues. */
type Enqueues = Pick<JobQueue, 'enqueue' | 'enqueueMany'>;
/** What is about one job, wherever it is. */
type ByJob = Pick<
  JobQueue,
  'getJob' | 'result' | 'retryJob' | 'cancelJob' | 'updateJob' | 'acknowledgeJob' | 'freeKey'
>;

export interface DedicatedOptions {
  /** The database in whose transactions jobs are enqueued. */
  readonly db: Transactable;
  /** The dedicated queue. */
  readonly dedicated: JobQueue;
  /** The types that live in the dedicated queue. */
  readonly types: readonly string[];
  /** Its name in the carrying worker; default: `dedicated`. */
  readonly to?: string;
}

export interface DedicatedQueue extends Enqueues, ByJob {
  /** Enqueues in a transaction of the database: no job exists before it commits. */
  in(tx: Queryable): Enqueues;
  /** The queue in the table alone, with its lists and depths. */
  readonly table: JobQueue;
  /** The dedicated queue alone. */
  readonly dedicated: JobQueue;
}

/**
 * Opens the queue over both. Without a transaction, a job of `types` goes straight to Redis; one with an idempotency
 * key goes through the table, where its key is taken, so that none exists twice while some programs use the table for a
 * type and others the dedicated queue. The answer is then the forward, whose result has the id of the job, and the
 * verbs about one job follow it. Throws what `enqueue` throws, and `not_supported` for what the dedicated queue cannot
 * keep.
 */
export function openDedicated({ db, dedicated, types, to = 'dedicated' }: DedicatedOptions): DedicatedQueue {
  const table = openQueue(db);
  const isDedicated = ({ contract }: JobRequest): boolean => types.includes(contract.type);
  const write = async (requests: readonly JobRequest[], signal?: AbortSignal): Promise<EnqueuedJob[]> => {
    if (requests.length === 0) return [];
    const wait = signal === undefined ? {} : { signal };
    if (!requests.some(isDedicated)) return table.enqueueMany(requests, wait);
    const areKeyless = requests.every((request) => isDedicated(request) && checkDedicated(request).key === null);
    if (areKeyless) return dedicated.enqueueMany(requests, wait);
    // all or none
    return inTransaction(db, (tx) => writeIn(tx, to, requests, isDedicated));
  };
  return {
    ...enqueues(write),
    ...byJob(follow({ table, dedicated })),
    in: (tx) => enqueues((requests) => writeIn(tx, to, requests, isDedicated)),
    table,
    dedicated,
  };
}

function enqueues(write: (requests: readonly JobRequest[], signal?: AbortSignal) => Promise<EnqueuedJob[]>): Enqueues {
  return {
    async enqueue(contract, payload, { signal, ...options } = {}) {
      return (await write([jobRequest(contract, payload, options)], signal))[0]!;
    },
    enqueueMany: (requests, { signal } = {}) => write(requests, signal),
  };
}

function byJob(at: Follow): ByJob {
  return {
    getJob: (id) => at(id, (queue, job) => queue.getJob(job)),
    result: (contract, id, options) => at(id, (queue, job) => queue.result(contract, job, options), options),
    retryJob: (id, options) => at(id, (queue, job) => queue.retryJob(job, options)),
    cancelJob: (id, act) => at(id, (queue, job) => queue.cancelJob(job, act)),
    updateJob: (id, change, act) => at(id, (queue, job) => queue.updateJob(job, change, act)),
    acknowledgeJob: (id, act) => at(id, (queue, job) => queue.acknowledgeJob(job, act)),
    freeKey: (id, act) => at(id, (queue, job) => queue.freeKey(job, act)),
  };
}

/** The run of a request that the dedicated queue can keep. Throws `not_supported`, and what `enqueue` throws. */
function checkDedicated(request: JobRequest): NewRun {
  checkContracts(BULLMQ_CAPABILITIES, [request.contract]);
  const run = makeNewRun(request);
  checkCapabilities({ capabilities: BULLMQ_CAPABILITIES }, run);
  return run;
}

/** A payload of 64 KiB is at most so long as a text in another payload. */
const FORWARD_LIMIT_BYTES = 512 * 1024;

/**
 * Writes the jobs in one statement. One with a key is written as the job that it is, which takes its key in the table as any
 * other does, and is made a forward in the same transaction: nobody sees it in between.
 */
async function writeIn(
  tx: Transactable,
  to: string,
  requests: readonly JobRequest[],
  isDedicated: (request: JobRequest) => boolean,
): Promise<EnqueuedJob[]> {
  const keyed = new Map<number, NewRun>();
  const written = requests.map((request, at) => {
    if (!isDedicated(request)) return request;
    const run = checkDedicated(request);
    if (run.key === null) return forwardRequest({ to, run }, request);
    keyed.set(at, run);
    return request;
  });
  if (keyed.size === 0) return enqueueMany(tx, written);
  return inTransaction(tx, async (own) => {
    const jobs = await enqueueMany(own, written);
    const anew = [...keyed.keys()].filter((at) => !jobs[at]!.isDeduplicated).map((at) => jobs[at]!.id);
    if (anew.length > 0) await turnIntoForwards(own, to, forwardJob, anew);
    return Promise.all(jobs.map(async (job, at) => (keyed.has(at) ? compare(own, job, keyed.get(at)!) : job)));
  });
}

/** The key of a job that has become a forward has its payload in that forward's. */
async function compare(tx: Queryable, found: EnqueuedJob, run: NewRun): Promise<EnqueuedJob> {
  if (!found.payloadDiffers) return found;
  const { job } = await getJob(tx, found.id);
  if (job.type !== forwardJob.type) return found;
  const { payloadJson } = (job.payload as unknown as Forward).run;
  // values that are encrypted are not compared
  const isSealed = payloadJson.includes('"$sealed"') || run.payloadJson.includes('"$sealed"');
  const payloadDiffers = !isSealed && !isDeepStrictEqual(JSON.parse(payloadJson), JSON.parse(run.payloadJson));
  return { ...found, payloadDiffers };
}

function forwardRequest(forward: Forward, { options: { meta } }: JobRequest): JobRequest {
  return jobRequest(forwardJob, forward, {
    payloadLimitBytes: FORWARD_LIMIT_BYTES,
    ...(meta === undefined ? {} : { meta }),
  });
}

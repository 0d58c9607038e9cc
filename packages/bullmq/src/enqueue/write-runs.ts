import { isDeepStrictEqual } from 'node:util';
import type { EnqueuedJob, NewRun } from '@duework/queue-core/ports';
import { encodeJob, type EncodedJob, type JobNotes } from '../jobs/encode-job.js';
import { readJobId, toJobId, type PlacedId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';

/** How a run is known that was enqueued elsewhere. */
export interface Delivery {
  readonly jobId: string;
  readonly createdAtMs: number;
}

/**
 * Writes runs, all or none: BullMQ adds the jobs of all queues in one transaction of Redis. A run whose key is taken is the
 * one that has it.
 *
 * Throws `redis_may_evict` where Redis might throw them away.
 *
 * @param deliveries where the runs come from elsewhere, and a second delivery is to change nothing: for each its id in
 * BullMQ, and when its caller enqueued it, from which its delay counts
 */
export async function writeRuns(
  queues: Queues,
  runs: readonly NewRun[],
  deliveries: readonly Delivery[] = [],
): Promise<EnqueuedJob[]> {
  if (runs.length === 0) return [];
  await queues.keepsAll();
  const nowMs = Date.now();
  const jobs = runs.map((run, at) => ({
    run,
    job: encodeJob(run, deliveries[at]?.createdAtMs ?? nowMs, deliveries[at]?.jobId),
  }));
  await Promise.all([...new Set(runs.map(({ queue }) => queue))].map((queue) => queues.note(queue)));
  const placed = jobs.map(({ run, job }) => ({ queue: run.queue, id: job.opts.jobId }));
  // before the jobs, so that none is there without being listed; what is not there is passed over
  const listed = queues.redis.zadd(queues.jobs, 'NX', ...placed.flatMap((one) => [nowMs, toJobId(one)]));
  const [added] = await Promise.all([addJobs(queues, jobs), listed, noteExpiring(queues, jobs)]);
  const written = await addAgain(queues, jobs, added);
  const kept = written.map((id, at) => ({ queue: runs[at]!.queue, id }));
  const dropped = placed.filter((one, at) => one.id !== kept[at]!.id);
  if (dropped.length > 0) await queues.redis.zrem(queues.jobs, ...dropped.map(toJobId));
  for (const queue of new Set(runs.filter(isDueSoon).map((run) => run.queue))) queues.wake(queue);
  return answer(queues, jobs, kept, deliveries.length > 0);
}

/** What has not started in time is looked for by that time; what is not there, or has started by then, is passed over. */
async function noteExpiring(queues: Queues, jobs: readonly Written[]): Promise<void> {
  const places = jobs.flatMap(({ run, job }) => {
    const { terms } = JSON.parse(job.opts.duework) as JobNotes;
    const id = toJobId({ queue: run.queue, id: job.opts.jobId });
    return terms?.expiresAt === undefined ? [] : [Date.parse(terms.expiresAt), id];
  });
  if (places.length > 0) await queues.redis.zadd(queues.key('expiring'), ...places);
}

/**
 * The job that has a key may be gone, because another program has removed it and left its key: then the key is freed, and
 * the run is added after all.
 */
async function addAgain(queues: Queues, jobs: readonly Written[], written: readonly string[]): Promise<string[]> {
  return Promise.all(
    jobs.map(async ({ run, job }, at) => {
      const id = written[at]!;
      const backend = queues.of(run.queue);
      if (id === job.opts.jobId || (await queues.redis.exists(backend.toKey(id))) === 1) return id;
      await backend.removeDeduplicationKey(job.opts.deduplication!.id, id);
      return (await addJobs(queues, [{ run, job }]))[0]!;
    }),
  );
}

const SOON_MS = 60_000;

interface Written {
  readonly run: NewRun;
  readonly job: EncodedJob;
}

async function addJobs(queues: Queues, jobs: readonly Written[]): Promise<string[]> {
  const answers = await queues.of(jobs[0]!.run.queue).addFlow(
    jobs.map(({ run, job: { name, opts } }) => ({
      prefix: queues.prefix,
      queueName: run.queue,
      jobId: opts.jobId,
      parentKeyOpts: {},
      jobData: {
        id: opts.jobId,
        name,
        data: run.payloadJson,
        opts,
        timestamp: opts.timestamp,
        delay: opts.delay ?? 0,
        priority: opts.priority,
        ...(opts.deduplication && { deduplicationId: opts.deduplication.id }),
        progress: 0,
        attemptsMade: 0,
        attemptsStarted: 0,
        stalledCounter: 0,
        failedReason: '',
        returnvalue: '',
      },
    })),
  );
  return answers.map(([error, id]) => {
    if (error !== null && error !== undefined) throw error;
    return String(id);
  });
}

/** A worker that looks now learns when the next run is due, and looks again then. */
const isDueSoon = ({ runAt, delayMs }: NewRun): boolean =>
  (runAt === null ? delayMs : Date.parse(runAt) - Date.now()) < SOON_MS;

/** What is new is known; what was there before is read. */
async function answer(
  queues: Queues,
  jobs: readonly Written[],
  kept: readonly PlacedId[],
  isAgain: boolean,
): Promise<EnqueuedJob[]> {
  const isKnown = (at: number): boolean => !isAgain && kept[at]!.id === jobs[at]!.job.opts.jobId;
  const toRead = [...new Set(kept.filter((_, at) => !isKnown(at)).map(toJobId))];
  const found = await readRuns(
    queues,
    toRead.map((id) => readJobId(id)!),
  );
  return jobs.map(({ run, job }, at) => {
    const id = toJobId(kept[at]!);
    const notes = JSON.parse(job.opts.duework) as { runAtMs: number };
    const fresh = { id, type: run.type, status: 'queued', runAt: new Date(notes.runAtMs) } as const;
    const holder = isKnown(at) ? undefined : found[toRead.indexOf(id)];
    if (holder === undefined || holder === null) return { ...fresh, isDeduplicated: false, payloadDiffers: false };
    const isOther = holder.id !== job.opts.jobId;
    const payloadDiffers =
      isOther &&
      holder.version === run.version &&
      !isDeepStrictEqual(JSON.parse(holder.payloadJson), JSON.parse(run.payloadJson));
    const { status, runAtMs } = holder;
    return { ...fresh, status, runAt: new Date(runAtMs), isDeduplicated: isOther, payloadDiffers };
  });
}

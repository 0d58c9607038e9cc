import { randomUUID } from 'node:crypto';
import type { Claim, ClaimedRun, ClaimRequest } from '@duework/queue-core/ports';
import type { Json } from '@duework/queue-core';
import { decodeJob, hasStarted, toMeta, type BullmqRun, type RawJob } from '../jobs/decode-job.js';
import { toJobId } from '../jobs/job-id.js';
import { isPaused, readPauses } from '../operate/pauses.js';
import type { Queues } from '../redis/queues.js';
import { fetchJobs, giveBack, type FetchedJob } from './fetch-jobs.js';
import { withoutExpiry } from '../terms/run-terms.js';
import { endLost } from './end-lost.js';
import { endRun } from './end-run.js';
import { FIELD } from '../jobs/fields.js';

/** How many jobs that this worker cannot read a claim looks past; with more, they are put away for a moment. */
const MAX_LOOKED_PAST = 200;

/**
 * Takes up to `limit` due runs of a queue, through BullMQ: each is fetched under the claim's own token, and its attempt
 * begins with a fence, a lease and a charge, in one script. A worker that dies in between has begun nothing: BullMQ gives
 * the job back.
 *
 * What this worker cannot read, or may not run at the moment, is held until the claim is over and then stands where it
 * stood, uncharged, so that those behind it are taken.
 */
export async function claimRuns(queues: Queues, request: ClaimRequest): Promise<Claim> {
  const { queue, worker, limit } = request;
  await queues.note(queue);
  const nowMs = Date.now();
  const [pauses, waiting] = await Promise.all([readPauses(queues, nowMs), countWaiting(queues, queue, nowMs)]);
  if (isPaused(pauses, 'queue', queue)) return { runs: [], dueInMs: null };
  const token = randomUUID();
  const runs: ClaimedRun[] = [];
  const passed: FetchedJob[] = [];
  let left = waiting.due;
  while (left > 0 && runs.length < limit && passed.length < MAX_LOOKED_PAST) {
    const fetched = await fetchJobs(queues, queue, token, worker, Math.min(limit - runs.length, left));
    left = fetched.length === 0 ? 0 : left - fetched.length;
    const isWanted = ({ type, version }: FetchedJob): boolean =>
      canRead(request, type, version) && !isPaused(pauses, 'type', type);
    passed.push(...fetched.filter((job) => !isWanted(job)));
    const wanted = fetched.filter(isWanted);
    const begun = await Promise.all(wanted.map((job) => begin(queues, job, token, request)));
    passed.push(...wanted.filter((_, at) => begun[at] === 'expired'));
    runs.push(...begun.filter((run) => run !== null && run !== 'expired'));
  }
  await giveBack(queues, queue, token, passed, passed.length >= MAX_LOOKED_PAST);
  if (runs.length > 0 || waiting.nextAtMs === null) return { runs, dueInMs: null };
  return { runs, dueInMs: waiting.nextAtMs > nowMs ? waiting.nextAtMs - nowMs : null };
}

/** How many jobs are due, and when the next one becomes due; null: none waits for its moment. */
async function countWaiting(
  queues: Queues,
  queue: string,
  nowMs: number,
): Promise<{ due: number; nextAtMs: number | null }> {
  const { keys } = queues.of(queue);
  const dueScore = (nowMs + 1) * 4_096 - 1;
  const [inLine, inWait, delayed, next] = await Promise.all([
    queues.redis.zcard(keys.prioritized!),
    queues.redis.llen(keys.wait!),
    queues.redis.zcount(keys.delayed!, '-inf', dueScore),
    queues.redis.zrangebyscore(keys.delayed!, `(${dueScore}`, '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
  ]);
  return { due: inLine + inWait + delayed, nextAtMs: next.length === 0 ? null : Math.floor(Number(next[1]) / 4_096) };
}

function canRead({ contracts }: ClaimRequest, type: string, version: number): boolean {
  const contract = contracts.get(type);
  return contract !== undefined && contract.oldestVersion <= version && version <= contract.version;
}

/** Begins the attempt of a job that was fetched; null: it is another's, or has been ended instead. `expired`: it never starts. */
async function begin(
  queues: Queues,
  job: FetchedJob,
  token: string,
  { worker, contracts }: ClaimRequest,
): Promise<ClaimedRun | 'expired' | null> {
  const nowMs = Date.now();
  const answer = await queues.redis.dueworkBegin(
    queues.jobKey(job),
    queues.lockKey(job),
    queues.leases,
    queues.jobs,
    queues.memberOf(job),
    token,
    worker,
    nowMs,
    contracts.get(job.type)!.leaseMs,
    job.expiresAtMs,
  );
  if (Array.isArray(answer)) return toClaimedRun(decodeJob(job, toRaw(answer as string[]))!);
  if (answer === 'expired') return answer;
  if (answer === 'gone') return null;
  const run = decodeJob(job, await queues.redis.hgetall(queues.jobKey(job)))!;
  if (answer === 'lost') await endLost(queues, run, { token });
  else await endRun(queues, run, token, 'cancelled', run.raw[FIELD.cancelReason] || 'cancelled', {});
  return null;
}

function toRaw(flat: readonly string[]): RawJob {
  const raw: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) raw[flat[at]!] = flat[at + 1]!;
  return raw;
}

function toClaimedRun(run: BullmqRun): ClaimedRun {
  const { type, version, queue, priority, maxAttempts, fence, runAtMs, createdAtMs } = run;
  return {
    id: toJobId(run),
    type,
    version,
    queue,
    priority,
    maxAttempts,
    fence,
    runAtMs,
    createdAtMs,
    payload: JSON.parse(run.payloadJson) as Json,
    meta: toMeta(run),
    gates: null,
    terms: hasStarted(run) ? withoutExpiry(run.terms) : run.terms,
    idempotencyKey: run.key,
    attempt: run.attempts,
    waitedMs: Math.max(0, run.claimedAtMs! - runAtMs),
  };
}

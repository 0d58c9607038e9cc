import { randomUUID } from 'node:crypto';
import type { Claim, ClaimedRun, ClaimRequest } from '@duework/queue-core/ports';
import { findLostNumber } from '@duework/sql';
import type { Json } from '@duework/queue-core';
import { decodeJob } from '../jobs/decode-job.js';
import { readJobId, toJobId } from '../jobs/job-id.js';
import { readMeta, readMoment } from '../jobs/read-fields.js';
import { isPaused, readPauses } from '../operate/pauses.js';
import { PER_MS } from '../redis/move-run.js';
import type { Queues } from '../redis/queues.js';
import { fetchJobs, giveBack, type FetchedJob } from './fetch-jobs.js';
import { withoutExpiry } from '../terms/run-terms.js';
import type { FetchedAhead } from './fetched-ahead.js';
import { endLost } from './end-lost.js';
import { endRun } from './end-run.js';
import { endUnreadable } from './end-unreadable.js';
import { FIELD } from '../jobs/fields.js';

/** How many jobs that this worker cannot read a claim looks past; with more, they are put away for a moment. */
const MAX_LOOKED_PAST = 200;

/**
 * Takes up to `limit` due runs of a queue, through BullMQ: each was fetched with a completion, or is fetched under the
 * claim's own token, and its attempt begins with a fence, a lease and a charge, in one script. A worker that dies in
 * between has begun nothing: BullMQ gives the job back.
 *
 * What this worker cannot read, or may not run at the moment, is held until the claim is over and then stands where it
 * stood, uncharged, so that those behind it are taken.
 */
export async function claimRuns(queues: Queues, ahead: FetchedAhead, request: ClaimRequest): Promise<Claim> {
  const { queue, worker, limit } = request;
  await queues.note(queue);
  const nowMs = Date.now();
  const [pauses, waiting] = await Promise.all([readPauses(queues, nowMs), countWaiting(queues, queue, nowMs)]);
  if (isPaused(pauses, 'queue', queue)) return { runs: [], dueInMs: null };
  const token = randomUUID();
  const runs: ClaimedRun[] = [];
  const passed: FetchedJob[] = [];
  let left = waiting.due;
  let fetched = ahead.take(queue, limit);
  while (fetched.length > 0 || (left > 0 && runs.length < limit && passed.length < MAX_LOOKED_PAST)) {
    if (fetched.length === 0) {
      fetched = await fetchJobs(queues, queue, token, worker, Math.min(limit - runs.length, left));
      left = fetched.length === 0 ? 0 : left - fetched.length;
    }
    // a scheduler's is left to BullMQ's own workers, which make the next one
    const isWanted = (job: FetchedJob): boolean =>
      canRead(request, job) && !isPaused(pauses, 'type', job.type) && readJobId(toJobId(job)) !== null;
    passed.push(...fetched.filter((job) => !isWanted(job)));
    const wanted = fetched.filter(isWanted);
    const begun = await begin(queues, await endUnreadable(queues, wanted), request);
    passed.push(...begun.expired);
    runs.push(...begun.runs);
    fetched = [];
  }
  ahead.learn(queue, limit, runs.length === limit);
  await giveBack(queues, queue, passed, passed.length >= MAX_LOOKED_PAST);
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
  const dueScore = (nowMs + 1) * PER_MS - 1;
  const [inLine, inWait, delayed, next] = await Promise.all([
    queues.redis.zcard(keys.prioritized!),
    queues.redis.llen(keys.wait!),
    queues.redis.zcount(keys.delayed!, '-inf', dueScore),
    queues.redis.zrangebyscore(keys.delayed!, `(${dueScore}`, '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
  ]);
  return { due: inLine + inWait + delayed, nextAtMs: next.length === 0 ? null : Math.floor(Number(next[1]) / PER_MS) };
}

/** One that nobody can read has no version: who knows its type ends it. */
function canRead({ contracts }: ClaimRequest, { type, version, unreadable }: FetchedJob): boolean {
  const contract = contracts.get(type);
  if (contract === undefined) return false;
  return unreadable !== null || (contract.oldestVersion <= version && version <= contract.version);
}

/**
 * Begins the attempts of jobs that were fetched; those that are another's, or end instead, are left out. `expired`: they never
 * start.
 */
async function begin(
  queues: Queues,
  jobs: readonly FetchedJob[],
  { worker, contracts }: ClaimRequest,
): Promise<{ readonly runs: readonly ClaimedRun[]; readonly expired: readonly FetchedJob[] }> {
  if (jobs.length === 0) return { runs: [], expired: [] };
  const keys = [queues.leases, queues.jobs, ...jobs.flatMap((job) => [queues.jobKey(job), queues.lockKey(job)])];
  const leases = jobs.flatMap((job) => [
    queues.memberOf(job),
    job.token,
    contracts.get(job.type)!.leaseMs,
    job.notes.createdAtMs === undefined ? job.addedAtMs : '',
    job.notes.terms?.expiresAt === undefined ? '' : Date.parse(job.notes.terms.expiresAt),
  ]);
  const nowMs = Date.now();
  const answers = (await queues.redis.dueworkBegin(keys.length, ...keys, worker, nowMs, ...leases)) as Begun[];
  const left = jobs.filter((_, at) => answers[at] === 'lost' || answers[at] === 'cancelled');
  await Promise.all(left.map((job) => end(queues, job)));
  const runs = jobs.flatMap((job, at) => {
    const answer = answers[at]!;
    return typeof answer === 'string' ? [] : [toClaimedRun(job, answer, nowMs)];
  });
  return { runs, expired: jobs.filter((_, at) => answers[at] === 'expired') };
}

/** Ends what a claim has found unfinished: the attempt of a lost worker, or a run that somebody has cancelled. */
async function end(queues: Queues, job: FetchedJob): Promise<void> {
  const { token } = job;
  const run = decodeJob(job, await queues.redis.hgetall(queues.jobKey(job)))!;
  if (run.status === 'running') await endLost(queues, run, { token });
  else await endRun(queues, run, token, 'cancelled', run.raw[FIELD.cancelReason] || 'cancelled', {});
}

/**
 * The fence, the attempts, the moment since when it is due, where that has changed, and how often it had started before; or why
 * it has not begun.
 */
type Begun =
  | readonly [fence: number, attempts: number, runAt: string | null, before: number]
  | 'gone'
  | 'lost'
  | 'cancelled'
  | 'expired';

function toClaimedRun(
  job: FetchedJob,
  [fence, attempt, runAt, before]: Exclude<Begun, string>,
  nowMs: number,
): ClaimedRun {
  const { terms = null } = job.notes;
  const { type, version, queue, priority, maxAttempts, addedAtMs, dueAtMs, notes } = job;
  const runAtMs = readMoment(runAt) ?? dueAtMs;
  return {
    id: toJobId(job),
    type,
    version,
    queue,
    priority,
    maxAttempts,
    fence,
    attempt,
    runAtMs,
    createdAtMs: notes.createdAtMs ?? addedAtMs,
    payload: JSON.parse(job.payloadJson) as Json,
    lostNumber: findLostNumber(job.payloadJson),
    meta: notes.meta ? readMeta(notes.meta) : null,
    gates: null,
    terms: before > 0 ? withoutExpiry(terms) : terms,
    idempotencyKey: notes.key ?? null,
    waitedMs: Math.max(0, nowMs - runAtMs),
  };
}

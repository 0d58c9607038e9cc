import { parseDuration, readPayload, type Duration, type JobContract } from '@duework/contracts';
import { systemClock, type Job } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import { toQueue, type LookedAt, type ObservedQueue } from '../to-queue.js';
import type { ExpectedJob } from './expected-job.js';
import { findDifferences, show } from './find-differences.js';

/** A job of the type, and where it differs from what is expected. */
export interface LookedAtJob {
  readonly job: Job;
  readonly differences: readonly string[];
}

const PAGE = 200;
const LOOK_INTERVAL_MS = 10;

/** Every job of the contract's type, live or finished, in the order in which they were enqueued. */
export async function findEnqueued<C extends JobContract>(
  source: LookedAt,
  contract: C,
  expected: ExpectedJob<C>,
): Promise<LookedAtJob[]> {
  const jobs = await listAll(toQueue(source), contract.type);
  return jobs.map((job) => ({ job, differences: differencesOf(contract, expected, job) })).reverse();
}

/** Looks again and again until `isEnough`, for `within` at most; returns what was seen last. */
export async function findWithin(
  look: () => Promise<LookedAtJob[]>,
  isEnough: (seen: readonly LookedAtJob[]) => boolean,
  within: Duration,
): Promise<LookedAtJob[]> {
  const deadlineMs = systemClock.monotonicMs() + parseDuration(within);
  for (;;) {
    const seen = await look();
    if (isEnough(seen) || systemClock.monotonicMs() >= deadlineMs) return seen;
    await pause(systemClock, LOOK_INTERVAL_MS);
  }
}

export const isMeant = ({ differences }: LookedAtJob): boolean => differences.length === 0;

async function listAll(queue: ObservedQueue, type: string): Promise<Job[]> {
  const all: Job[] = [];
  let cursor: string | null = null;
  do {
    const { jobs, nextCursor } = await queue.findJobs({ type, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    all.push(...jobs);
    cursor = nextCursor;
  } while (cursor !== null);
  return all;
}

function differencesOf<C extends JobContract>(contract: C, { payload, key }: ExpectedJob<C>, job: Job): string[] {
  const differences = key === undefined || key === job.idempotencyKey ? [] : [`its key is ${show(job.idempotencyKey)}`];
  if (payload === undefined) return differences;
  const reading = readPayload(contract, job.version, job.payload);
  if (!reading.success) return [...differences, `its payload cannot be read: ${reading.why}`];
  return [...differences, ...findDifferences(payload, reading.data, 'payload')];
}

import type { JobNotes } from '../jobs/encode-job.js';
import type { PlacedId } from '../jobs/job-id.js';
import { typeOfName } from '../jobs/type-of-name.js';
import type { Queues } from '../redis/queues.js';
import { unlessLost } from './unless-lost.js';

/** A job that a claim has fetched, and whose attempt has not begun. */
export interface FetchedJob extends PlacedId {
  /** What its lock holds. */
  readonly token: string;
  readonly type: string;
  readonly version: number;
  readonly payloadJson: string;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly addedAtMs: number;
  readonly notes: Partial<JobNotes>;
}

/** How long jobs are put away that a worker cannot read, where there are so many that it would look at nothing else. */
const PUT_AWAY_MS = 5_000;

/** Fetches up to `count` jobs from BullMQ, under a token. */
export async function fetchJobs(
  queues: Queues,
  queue: string,
  token: string,
  worker: string,
  count: number,
): Promise<FetchedJob[]> {
  const backend = queues.of(queue);
  const answers = await Promise.all(Array.from({ length: count }, () => backend.moveToActive(token, worker)));
  return toFetchedJobs(queue, token, answers as Answer[]);
}

/** What BullMQ answers where it was asked for a job: the job and its id, or something else than a job. */
export type Answer = readonly [job?: Fetched | string | null, id?: string | number, ...more: unknown[]];

export function toFetchedJobs(queue: string, token: string, answers: readonly Answer[]): FetchedJob[] {
  return answers.flatMap(([job, id]) => {
    if (job === null || job === undefined || typeof job === 'string') return [];
    return [toFetched({ queue, id: String(id) }, token, job)];
  });
}

/** What is used of a job as BullMQ reads it. */
interface Fetched {
  readonly name: string;
  readonly data: string;
  readonly opts: { readonly duework?: string; readonly attempts?: number };
  readonly priority?: number;
  readonly timestamp: number;
}

function toFetched(
  placed: PlacedId,
  token: string,
  { name, data, opts, priority = 0, timestamp }: Fetched,
): FetchedJob {
  const notes = JSON.parse(opts.duework ?? '{}') as Partial<JobNotes>;
  return {
    ...placed,
    token,
    type: typeOfName(name),
    version: notes.version ?? 1,
    payloadJson: data,
    priority: Math.max(0, priority - 1),
    maxAttempts: Math.max(1, opts.attempts ?? 1),
    addedAtMs: timestamp,
    notes,
  };
}

/**
 * Gives back what was fetched and not begun: to the place in line that it had, or, where there is too much of it, away from
 * the line for a moment. Uncharged, both.
 */
export async function giveBack(
  queues: Queues,
  queue: string,
  jobs: readonly FetchedJob[],
  isAway: boolean,
): Promise<void> {
  const backend = queues.of(queue);
  const nowMs = Date.now();
  // each goes before all others, so the first one goes last
  await Promise.all(
    jobs
      .toReversed()
      .map(({ id, token }) =>
        unlessLost(
          isAway
            ? backend.moveToDelayed(id, nowMs, PUT_AWAY_MS, token, { skipAttempt: true })
            : backend.moveJobFromActiveToWait(id, token),
        ),
      ),
  );
}

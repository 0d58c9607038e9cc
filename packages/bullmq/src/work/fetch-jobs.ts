import { dueSince } from '../jobs/decode-job.js';
import type { JobNotes } from '../jobs/encode-job.js';
import type { PlacedId } from '../jobs/job-id.js';
import { readJson, readMoment, readNotes, readWhole, UNREADABLE } from '../jobs/read-fields.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
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
  /** Since when it is due, as it was added. */
  readonly dueAtMs: number;
  readonly notes: Partial<JobNotes>;
  /** The field of its hash that nobody can read; null: none. */
  readonly unreadable: string | null;
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
  const told = await Promise.allSettled(Array.from({ length: count }, () => backend.moveToActive(token, worker)));
  const answers = told.flatMap((one) => (one.status === 'fulfilled' ? [one.value as Answer] : []));
  const jobs = toFetchedJobs(queue, token, answers);
  const failed = told.find((one) => one.status === 'rejected');
  return failed === undefined ? jobs : [...jobs, ...(await findUnreadable(queues, queue, token, failed.reason, jobs))];
}

/** What reading a hash throws; what Redis says, and that it is away, are errors of other names. */
const OF_READING: ReadonlySet<unknown> = new Set(['SyntaxError', 'TypeError', 'RangeError']);

/**
 * BullMQ has fetched jobs under that token, and could not read what it had fetched: the jobs themselves, beside those that it
 * could. Throws `error` where that was not the reason.
 */
export async function findUnreadable(
  queues: Queues,
  queue: string,
  token: string,
  error: unknown,
  read: readonly PlacedId[],
): Promise<FetchedJob[]> {
  if (!OF_READING.has((error as Error).name)) throw error;
  const active = await queues.redis.lrange(queues.of(queue).keys.active!, 0, -1);
  const placed = active.filter((id) => !read.some((job) => job.id === id)).map((id) => ({ queue, id }));
  const locks = await Promise.all(placed.map((one) => queues.redis.get(queues.lockKey(one))));
  const runs = await readRuns(
    queues,
    placed.filter((_, at) => locks[at] === token),
  );
  if (runs.every((run) => run === null)) throw error;
  return runs.flatMap((run) => {
    if (run === null) return [];
    const { id, type, version, payloadJson, priority, maxAttempts, createdAtMs, runAtMs, unreadable } = run;
    const same = { queue, id, type, version, payloadJson, priority, maxAttempts };
    const moments = { addedAtMs: createdAtMs, dueAtMs: runAtMs };
    return [{ ...same, token, ...moments, notes: {}, unreadable: unreadable ?? 'opts' }];
  });
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
  readonly opts: Readonly<Record<string, unknown>>;
  readonly priority?: number;
  readonly timestamp: number;
}

function toFetched(placed: PlacedId, token: string, { name, data, opts, priority, timestamp }: Fetched): FetchedJob {
  const { attempts, delayMs, notes, unreadable } = readNotes(opts);
  const addedAtMs = readMoment(timestamp) ?? 0;
  return {
    ...placed,
    token,
    type: name ?? '',
    version: notes.version ?? 1,
    payloadJson: data,
    priority: readWhole(priority, 1, 1) - 1,
    maxAttempts: readWhole(attempts, 1, 1),
    addedAtMs,
    dueAtMs: notes.runAtMs ?? dueSince(addedAtMs, delayMs),
    notes,
    unreadable: unreadable ?? (readJson(data) === UNREADABLE ? 'data' : null),
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

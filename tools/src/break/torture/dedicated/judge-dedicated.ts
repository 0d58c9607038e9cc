import { DueworkError, type Job, type JobQueue } from '@duework/queue-core';
import type { WitnessLine } from './dedicated-jobs.js';
import type { Verdict } from '../report/print-verdicts.js';

/** An enqueue whose answer came; `atMs`: when. */
export interface AcknowledgedJob {
  readonly id: string;
  readonly type: 'note' | 'mail';
  readonly atMs: number;
}

/** What a failover may lose: what the replica had not yet when the master died. */
const UNREPLICATED_MS = 1_000;

/**
 * What became of everything that was acknowledged, beside what the workers have written down.
 *
 * @param failoversMs when masters died whose replicas took over; what came just before may be lost, or done again
 */
export async function judgeDedicated(
  queue: JobQueue,
  acknowledged: readonly AcknowledgedJob[],
  lines: readonly WitnessLine[],
  failoversMs: readonly number[],
): Promise<{ readonly verdicts: readonly Verdict[]; readonly lostByFailover: number }> {
  const jobs = new Map<string, Job | null>();
  for (const { id } of acknowledged) jobs.set(id, await find(queue, id));
  const mayBeGone = (atMs: number): boolean => failoversMs.some((ms) => atMs > ms - UNREPLICATED_MS && atMs <= ms);
  const gone = acknowledged.filter(({ id }) => jobs.get(id) === null);
  const open = [...jobs.values()].filter((job) => job !== null && !isOver(job));
  const begun = countBy(
    lines.flatMap((line) => (line.kind === 'begun' ? [`${line.id} with fence ${line.fence}`] : [])),
  );
  const succeeded = lines.filter((line) => line.kind === 'succeeded');
  const settled = countBy(succeeded.filter(({ atMs }) => !mayBeGone(atMs)).map(({ id }) => id));
  const late = succeeded.filter(({ id, fence, atMs }) => {
    const job = jobs.get(id);
    return job?.status === 'succeeded' && job.fence !== fence && !mayBeGone(atMs);
  });
  const mails = countBy(lines.flatMap((line) => (line.kind === 'mailed' ? [String(line.n)] : [])));
  const verdict = (promise: string, judged: number, broken: readonly string[]): Verdict => ({
    promise,
    judged,
    broken,
  });
  return {
    verdicts: [
      verdict(
        'What was acknowledged is there, but for what a failover lost',
        acknowledged.length,
        gone.filter(({ atMs }) => !mayBeGone(atMs)).map(({ id }) => id),
      ),
      verdict(
        'Everything came to an end',
        jobs.size,
        open.map((job) => `${job!.id} is ${job!.status}`),
      ),
      verdict('No claim began twice', begun.size, twice(begun)),
      verdict('No job was settled twice', settled.size, twice(settled)),
      verdict(
        'No late worker settled',
        succeeded.length,
        late.map(({ id, fence }) => `${id} with fence ${fence}`),
      ),
      verdict('No mail was sent twice', mails.size, twice(mails)),
    ],
    lostByFailover: gone.filter(({ atMs }) => mayBeGone(atMs)).length,
  };
}

/** A mail of which nobody knows whether it has left waits for a person. */
function isOver({ status, errorCode }: Job): boolean {
  return status === 'succeeded' || (status === 'dead' && errorCode === 'effect_unknown');
}

async function find(queue: JobQueue, id: string): Promise<Job | null> {
  try {
    return (await queue.getJob(id)).job;
  } catch (error) {
    if (DueworkError.is(error, 'job_not_found')) return null;
    throw error;
  }
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const twice = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].filter(([, count]) => count > 1).map(([key, count]) => `${key}: ${count} times`);

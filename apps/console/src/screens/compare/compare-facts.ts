import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import type { JobDetail } from '../job/use-job.js';
import type { FieldPair } from './compare-fields.js';

const words = texts.compare.names;
const FACTS: Readonly<Record<keyof typeof words, (job: JobDetail) => string | null>> = {
  version: ({ version }) => String(version),
  attempts: ({ attempts, maxAttempts }) => texts.job.fact.ofAttempts(attempts, maxAttempts),
  waited: ({ createdAt, claimedAt }) => between(createdAt, claimedAt),
  ran: ({ claimedAt, finishedAt }) => between(claimedAt, finishedAt),
  whole: ({ createdAt, finishedAt }) => between(createdAt, finishedAt),
  worker: ({ worker }) => worker,
  queue: ({ queue }) => queue,
  priority: ({ priority }) => String(priority),
};

/** What two jobs are and how long they took, side by side. */
export function compareFacts(one: JobDetail, other: JobDetail): readonly FieldPair[] {
  return Object.entries(FACTS).map(([name, read]) => {
    const [left, right] = [read(one), read(other)];
    return { path: words[name as keyof typeof words], one: left, other: right, differs: left !== right };
  });
}

const between = (from: string | null, to: string | null): string | null =>
  from === null || to === null ? null : formatDuration(Math.max(0, Date.parse(to) - Date.parse(from)));

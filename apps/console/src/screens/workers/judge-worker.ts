import type { Worker } from '../../api/now-queries.js';

/** How a worker does: it claims, its session has ended, it has not told of itself for too long, or something keeps it from claiming. */
export type Judgement = 'claims' | 'lost' | 'silent' | 'shut';

/** Workers tell of themselves once a minute, and are taken for gone after three. */
const SILENT_MS = 100_000;
/** What a worker tells within its first moments is of its start: it names the gates that it is just passing. */
const STARTED_MS = 5_000;

/** `now` in milliseconds since 1970. */
export function judgeWorker({ seenAt, startedAt, shutBy, isLost }: Worker, now: number): Judgement {
  if (isLost) return 'lost';
  const seen = Date.parse(seenAt);
  if (now - seen >= SILENT_MS) return 'silent';
  return shutBy !== null && seen - Date.parse(startedAt) >= STARTED_MS ? 'shut' : 'claims';
}

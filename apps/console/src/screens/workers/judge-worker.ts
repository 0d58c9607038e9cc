import type { Worker } from '../../api/now-queries.js';

/** The state of a worker: it claims, its session has ended, it has not reported for too long, or something keeps it from claiming. */
export type Judgement = 'claims' | 'lost' | 'silent' | 'shut';

/** Workers report once a minute, and count as gone after three. */
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

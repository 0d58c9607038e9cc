import type { AlertLimits, RaisedAlert } from '@duework/queue-core/ports';
import { attemptsOf } from '../jobs/decode-job.js';
import type { LiveRuns } from '../operate/scan-live.js';
import type { Queues } from '../redis/queues.js';
import { scanFinished } from './scan-finished.js';

const LATELY_MS = 900_000;

/** The type with the largest share of attempts that failed within 15 minutes, where that is too large. */
export async function findFailing(
  queues: Queues,
  live: readonly LiveRuns[],
  { maxFailedShare: limit = 0.5, minAttempts = 20 }: AlertLimits,
  nowMs: number,
): Promise<RaisedAlert[]> {
  const fromMs = nowMs - LATELY_MS;
  const [completed, failed] = await Promise.all([
    scanFinished(queues, 'completed', fromMs, Infinity),
    scanFinished(queues, 'failed', fromMs, Infinity),
  ]);
  const counts = new Map<string, { failed: number; attempts: number }>();
  const count = (type: string, isFailed: boolean): void => {
    const known = counts.get(type) ?? { failed: 0, attempts: 0 };
    counts.set(type, { failed: known.failed + (isFailed ? 1 : 0), attempts: known.attempts + 1 });
  };
  for (const { type } of completed) count(type, false);
  for (const run of [...live.flatMap(({ runs }) => runs), ...completed, ...failed])
    for (const { outcome, finishedAt } of attemptsOf(run))
      if ((outcome === 'failed' || outcome === 'lost') && finishedAt.getTime() >= fromMs) count(run.type, true);
  const found = [...counts]
    .map(([type, counted]) => ({ type, ...counted, share: counted.failed / counted.attempts }))
    .filter((one) => one.failed > 0 && one.attempts >= minAttempts && one.share >= limit)
    .sort((left, right) => right.share - left.share || right.failed - left.failed);
  const [worst] = found;
  if (worst === undefined) return [];
  const share = Math.round(worst.share * 100) / 100;
  const facts = { ...worst, share, limit, seconds: LATELY_MS / 1_000, others: found.length - 1 };
  return [{ name: 'failing_job_type', facts }];
}

import type { AlertLimits, RaisedAlert } from '@duework/queue-core/ports';
import { FIELD } from '../jobs/fields.js';
import type { Queues } from '../redis/queues.js';
import { scanFinished } from './scan-finished.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Too many dead runs within an hour; and dead ones that nobody has acknowledged and that are soon deleted. */
export async function findDeadAlerts(
  queues: Queues,
  { maxDeadPerHour: limit, keepDeadDays = 90 }: AlertLimits,
  nowMs: number,
): Promise<RaisedAlert[]> {
  const isDead = ({ status }: { readonly status: string }): boolean => status === 'dead';
  const beforeMs = nowMs - (keepDeadDays - Math.min(7, keepDeadDays / 2)) * DAY_MS;
  const [lately, old] = await Promise.all([
    scanFinished(queues, 'failed', nowMs - HOUR_MS + 1, Infinity),
    scanFinished(queues, 'failed', -Infinity, beforeMs - 1),
  ]);
  const deadInTheLastHour = lately.filter(isDead).length;
  const unseen = old.filter((run) => isDead(run) && !run.raw[FIELD.acknowledgedAt]);
  const oldestDay = Math.floor(Math.min(...unseen.map((run) => run.finishedAtMs!)) / DAY_MS);
  return [
    ...(unseen.length === 0
      ? []
      : [
          {
            name: 'dead_runs_expire',
            facts: { runs: unseen.length, keepDeadDays, oldestGoesAt: toDay(oldestDay + keepDeadDays + 1) },
          } as const,
        ]),
    ...(deadInTheLastHour > limit
      ? [{ name: 'too_many_dead_jobs', facts: { deadInTheLastHour, limit } } as const]
      : []),
  ];
}

const toDay = (day: number): string => new Date(day * DAY_MS).toISOString().replace('.000', '');

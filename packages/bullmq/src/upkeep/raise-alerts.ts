import type { AlertLimits, RaisedAlert } from '@duework/queue-core/ports';
import { isPaused, readPauses } from '../operate/pauses.js';
import { countRuns } from '../operate/read-queue-depth.js';
import { scanLive } from '../operate/scan-live.js';
import type { Queues } from '../redis/queues.js';
import { findDeadAlerts } from './dead-alerts.js';
import { findFailing } from './find-failing.js';
import { findReleased, findUnserved } from './live-alerts.js';
import { readReaders } from './readers.js';

const HOUR_MS = 3_600_000;

/** Returns the alerts to report now; a condition that lasts is reported once an hour, by one worker. */
export async function raiseAlerts(queues: Queues, limits: AlertLimits): Promise<RaisedAlert[]> {
  const nowMs = Date.now();
  const [live, pauses, readers] = await Promise.all([scanLive(queues), readPauses(queues, nowMs), readReaders(queues)]);
  const waiting = live
    .flatMap(countRuns)
    .filter(({ queue, type }) => !isPaused(pauses, 'queue', queue) && !isPaused(pauses, 'type', type));
  const waitingSeconds = Math.max(0, ...waiting.map((depth) => depth.oldestWaitingSeconds));
  const { maxWaitingSeconds: limit } = limits;
  const found: RaisedAlert[] = [
    ...(await findDeadAlerts(queues, limits, nowMs)),
    ...(await findFailing(queues, live, limits, nowMs)),
    ...findUnserved(live, readers, limits, nowMs),
    ...findReleased(live, readers),
    ...(waitingSeconds > limit
      ? [{ name: 'oldest_job_waits_too_long', facts: { waitingSeconds: Math.round(waitingSeconds), limit } } as const]
      : []),
  ];
  const isOurs = await Promise.all(
    found.map(({ name }) => queues.redis.set(queues.key(`alert:${name}`), nowMs, 'PX', HOUR_MS, 'NX')),
  );
  return found.filter((_, at) => isOurs[at] !== null);
}

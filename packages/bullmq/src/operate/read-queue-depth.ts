import type { QueueDepth } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';
import { scanLive, type LiveRuns } from './scan-live.js';

type Counted = { -readonly [K in keyof QueueDepth]: QueueDepth[K] };

/** How many runs wait and run, by queue and type; of a queue with very many, those that were looked at. */
export async function readQueueDepth(queues: Queues): Promise<QueueDepth[]> {
  return (await scanLive(queues)).flatMap(countRuns);
}

/** The same of one queue. */
export function countRuns({ queue, runs, hasMore: isAtLeast }: LiveRuns): QueueDepth[] {
  const nowMs = Date.now();
  const depths = new Map<string, Counted>();
  for (const { type, status, runAtMs } of runs) {
    const depth = depths.get(type) ?? { ...EMPTY, queue, type, isAtLeast };
    depths.set(type, depth);
    if (status === 'running') depth.running++;
    else if (runAtMs > nowMs) depth[status === 'failed' ? 'retrying' : 'scheduled']++;
    else {
      depth.due++;
      depth.oldestWaitingSeconds = Math.max(depth.oldestWaitingSeconds, (nowMs - runAtMs) / 1_000);
    }
  }
  return [...depths.values()].sort((left, right) => (left.type < right.type ? -1 : 1));
}

const EMPTY = { due: 0, scheduled: 0, retrying: 0, running: 0, held: 0, oldestWaitingSeconds: 0 } as const;

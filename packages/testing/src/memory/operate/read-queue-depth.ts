import type { QueueDepth } from '@duework/queue-core/ports';
import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

type Counted = { -readonly [K in keyof QueueDepth]: QueueDepth[K] };

/** How many runs wait and run, by queue and type; all of them are counted. */
export function readQueueDepth(tables: MemoryTables): QueueDepth[] {
  const nowMs = tables.nowMs();
  const depths = new Map<string, Counted>();
  for (const { queue, type, status, runAtMs, heldBy } of tables.live.values()) {
    const depth = depths.get(keyOf(queue, type)) ?? {
      queue,
      type,
      due: 0,
      scheduled: 0,
      retrying: 0,
      running: 0,
      held: 0,
      oldestWaitingSeconds: 0,
      isAtLeast: false,
    };
    depths.set(keyOf(queue, type), depth);
    if (status === 'running') depth.running++;
    else if (runAtMs > nowMs) depth[status === 'failed' ? 'retrying' : 'scheduled']++;
    else if (heldBy !== null) depth.held++;
    else {
      depth.due++;
      depth.oldestWaitingSeconds = Math.max(depth.oldestWaitingSeconds, (nowMs - runAtMs) / 1_000);
    }
  }
  return [...depths.values()].sort((a, b) => compare(a.queue, b.queue) || compare(a.type, b.type));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

import type { BullmqRun } from '../jobs/decode-job.js';
import type { Queues } from '../redis/queues.js';
import { readBriefly } from '../redis/read-runs.js';
import { MAX_SCANNED } from '../operate/scan-live.js';

/** The runs of all queues that finished in one state between two moments, as far as they are looked at. */
export async function scanFinished(
  queues: Queues,
  state: 'completed' | 'failed',
  fromMs: number,
  untilMs: number,
): Promise<BullmqRun[]> {
  const found = await Promise.all(
    (await queues.names()).map(async (queue) => {
      const key = queues.of(queue).keys[state]!;
      const ids = await queues.redis.zrangebyscore(key, fromMs, untilMs, 'LIMIT', 0, MAX_SCANNED);
      return readBriefly(
        queues,
        ids.map((id) => ({ queue, id })),
      );
    }),
  );
  return found.flat();
}

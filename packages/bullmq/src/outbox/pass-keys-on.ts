import { toKeyId } from '../jobs/encode-job.js';
import { readJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';

/** A key that a job holds, as an enqueue was told. */
export interface HeldKey {
  readonly type: string;
  readonly key: string;
  readonly holder: string;
}

/**
 * Frees keys that jobs hold which have gone to the table: whoever comes from there with such a key has it from the table,
 * where one job has it at a time. Answers for each whether it was so.
 */
export async function passKeysOn(queues: Queues, held: readonly HeldKey[]): Promise<boolean[]> {
  const runs = await readRuns(
    queues,
    held.map(({ holder }) => readJobId(holder)!),
  );
  return Promise.all(
    runs.map(async (run, at) => {
      if (run?.raw['dw:moved'] === undefined) return false;
      const place = queues.of(run.queue).toKey(`de:${toKeyId(held[at]!.type, held[at]!.key)}`);
      // another one may have got it since
      await queues.redis.eval(
        `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 1`,
        1,
        place,
        run.id,
      );
      return true;
    }),
  );
}

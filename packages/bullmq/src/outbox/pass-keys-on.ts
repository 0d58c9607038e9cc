import { toKeyId } from '../jobs/encode-job.js';
import { FIELD } from '../jobs/fields.js';
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
      if (run?.raw[FIELD.moved] === undefined) return false;
      // another one may have got it since
      await queues.of(run.queue).removeDeduplicationKey(toKeyId(held[at]!.type, held[at]!.key), run.id);
      return true;
    }),
  );
}

import type { KeyRing } from '@duework/queue-core';
import { listRuns } from '../operate/list-runs.js';
import { type BullmqConnection, Queues } from '../redis/queues.js';

const AT_ONCE = 100;
const SEALED = /"\$sealed":"([^":]+):/g;

/**
 * How many jobs need each key that is not the ring's current one, by its id: of those that wait, run, are dead or cancelled, and
 * may be read again. Nothing encrypts them anew here: the keys have to stay until these jobs have ended, or are gone.
 */
export async function countOldKeys(
  place: BullmqConnection,
  { currentKeyId }: Pick<KeyRing, 'currentKeyId'>,
): Promise<Readonly<Record<string, number>>> {
  const queues = new Queues(place);
  const counts: Record<string, number> = {};
  let cursor: string | undefined;
  do {
    const page = await listRuns(queues, { limit: AT_ONCE, cursor });
    for (const { status, payload } of page.jobs) {
      if (status === 'succeeded') continue;
      const keys = new Set(Array.from(JSON.stringify(payload).matchAll(SEALED), ([, keyId]) => keyId!));
      keys.delete(currentKeyId);
      for (const keyId of keys) counts[keyId] = (counts[keyId] ?? 0) + 1;
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return counts;
}

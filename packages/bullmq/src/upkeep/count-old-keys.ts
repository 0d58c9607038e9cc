import type { KeyRing } from '@duework/queue-core';
import { listRuns } from '../operate/list-runs.js';
import { type BullmqConnection, Queues } from '../redis/queues.js';

const AT_ONCE = 100;
const SEALED = /"\$sealed":"([^":]+):/g;

/** How many jobs that have not succeeded need each key but the current one, by its id; it has to stay until they are gone. */
export async function countOldKeys(
  place: BullmqConnection,
  { currentKeyId }: KeyRing,
): Promise<Record<string, number>> {
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

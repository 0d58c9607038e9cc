import { RESCUE, type AskedChore, type TakenChores } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';
import { lookForLost } from '../work/rescue-runs.js';

/** Takes chores, and looks for lost work where that is one of them. A key names a chore's period, and goes with it. */
export async function takeChores(queues: Queues, asked: readonly AskedChore[]): Promise<TakenChores> {
  const nowMs = Date.now();
  const take = async ({ name, everyMs }: AskedChore): Promise<boolean> => {
    if (everyMs === 0) return true;
    const key = queues.key(`chore:${name}:${Math.floor(nowMs / everyMs)}`);
    return (await queues.redis.set(key, '1', 'PX', Math.ceil(everyMs), 'NX')) !== null;
  };
  const areTaken = await Promise.all(asked.map(take));
  const taken = asked.filter((_, at) => areTaken[at]).map(({ name }) => name);
  return { taken, nowMs, lost: taken.includes(RESCUE) ? await lookForLost(queues, nowMs) : null };
}

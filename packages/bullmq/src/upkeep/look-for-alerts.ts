import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { findAlerts, judgeAlerts, noteTold } from '@duework/queue-core/ports';
import type { AlertLimits, AlertMessage, AlertState, AlertTold } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';
import { viewForAlerts } from './view-for-alerts.js';

/** How long one may be at the alerts until another takes its place. */
const TURN_MS = 30_000;
const RETRY_MS = 20;

/** Looks at what is wrong, and returns what the caller has to tell; nothing, where another one looks just now. */
export async function lookForAlerts(
  queues: Queues,
  limits: AlertLimits,
  ways: readonly string[],
): Promise<readonly AlertMessage[]> {
  const view = await viewForAlerts(queues);
  const wrong = findAlerts(view, limits);
  return (await inTurn(queues, (states) => judgeAlerts(states, wrong, ways, Date.now()))) ?? [];
}

/** Notes what became of a message; where another one looks just now, after it. */
export async function alertTold(queues: Queues, told: AlertTold): Promise<void> {
  for (;;) {
    const isNoted = await inTurn(queues, (states) => {
      noteTold(states, told, Date.now());
      return true;
    });
    if (isNoted) return;
    await wait(RETRY_MS);
  }
}

/** Reads and writes the alerts while nobody else does; null: somebody does. */
async function inTurn<T>(queues: Queues, act: (states: Map<string, AlertState>) => T): Promise<T | null> {
  const [turn, key, mine] = [queues.key('alerts:turn'), queues.key('alerts'), randomUUID()];
  if ((await queues.redis.set(turn, mine, 'PX', TURN_MS, 'NX')) === null) return null;
  try {
    const states = new Map<string, AlertState>(JSON.parse((await queues.redis.get(key)) ?? '[]') as []);
    const answer = act(states);
    await queues.redis.set(key, JSON.stringify([...states]));
    return answer;
  } finally {
    if ((await queues.redis.get(turn)) === mine) await queues.redis.del(turn);
  }
}

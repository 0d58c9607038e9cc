import { systemClock as clock } from './clock.js';

/** How often a statement that writes runs carries the NOTIFY along, for each queue. */
const INLINE_MS = 2;

/** When it last did; apart for transactions, because what they tell is heard when they commit, which may take long. */
const toldMs = { byStatements: new Map<string, number>(), byTransactions: new Map<string, number>() };

/**
 * Which of these queues' workers a statement that writes runs is to tell. Not each of them, because PostgreSQL lets commits
 * that notify through one after the other, so a NOTIFY in each costs more than half of all commits. A worker that was told
 * looks again and again for a while, so it finds what follows; and it polls, so that one that is left out costs delay, never
 * a run.
 */
export function takeQueuesToWake(queues: readonly string[], isInTransaction: boolean): string[] {
  const told = isInTransaction ? toldMs.byTransactions : toldMs.byStatements;
  const nowMs = clock.monotonicMs();
  const taken = queues.filter((queue) => nowMs - (told.get(queue) ?? -Infinity) >= INLINE_MS);
  for (const queue of taken) told.set(queue, nowMs);
  return taken;
}

import { systemClock as clock } from './clock.js';

/** How often a statement that writes runs carries the NOTIFY along, for each queue; one that writes many keeps a worker busy for longer. */
const INLINE_MS = { few: 1, many: 2 };
const MANY = 10;

/** When it last did; apart for transactions, because what they tell is heard when they commit, which may take long. */
const toldMs = { byStatements: new Map<string, number>(), byTransactions: new Map<string, number>() };

/**
 * The queues whose workers a statement that writes these runs is to tell. Not each of them, because PostgreSQL lets commits
 * that notify through one after the other, so a NOTIFY in each costs more than half of all commits. A worker that was told
 * looks again and again for a while, so it finds what follows; and it polls, so that one that is left out costs delay, never
 * a run.
 */
export function takeQueuesToWake(runs: readonly { readonly queue: string }[], isInTransaction: boolean): string[] {
  const told = isInTransaction ? toldMs.byTransactions : toldMs.byStatements;
  const gapMs = runs.length < MANY ? INLINE_MS.few : INLINE_MS.many;
  const nowMs = clock.monotonicMs();
  const taken = [...new Set(runs.map(({ queue }) => queue))].filter(
    (queue) => nowMs - (told.get(queue) ?? -Infinity) >= gapMs,
  );
  for (const queue of taken) told.set(queue, nowMs);
  return taken;
}

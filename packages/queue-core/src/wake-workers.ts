import { systemClock as clock } from './clock.js';
import { notifyWake } from './sql/notify-wake.js';
import type { Queryable } from './sql/sql.js';

/**
 * Tells workers of new runs, and not too often: PostgreSQL lets commits that notify through one after the other, so a
 * NOTIFY in each of them costs more than half of all commits. A worker that was told looks again and again for a while, so it
 * finds what follows; and it polls, so that one that is never told costs delay, never a run.
 */

/** How often a statement that writes runs carries the NOTIFY along, for each queue. */
const INLINE_MS = 2;
/** When the queues are told of that were left out. */
const LATER_MS = 20;

const toldMs = new Map<string, number>();

/** Which of these queues' workers the statement itself is to tell. */
export function takeInline(queues: readonly string[]): string[] {
  const nowMs = clock.monotonicMs();
  const taken = queues.filter((queue) => nowMs - (toldMs.get(queue) ?? -Infinity) >= INLINE_MS);
  for (const queue of taken) toldMs.set(queue, nowMs);
  return taken;
}

const later = new WeakMap<Queryable, Set<string>>();

/** Tells the workers of these queues a little later, once for all that come until then. It does not throw: they poll. */
export function wakeLater(db: Queryable, queues: readonly string[]): void {
  if (queues.length === 0) return;
  const known = later.get(db);
  for (const queue of queues) known?.add(queue);
  if (known !== undefined) return;
  const waiting = new Set(queues);
  later.set(db, waiting);
  clock.after(LATER_MS, () => {
    later.delete(db);
    notifyWake(db, [...waiting]).catch(() => {
      // the database has the runs, and the workers poll
    });
  });
}

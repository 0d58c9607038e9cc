import { systemClock as clock } from './clock.js';
import { notifyWake } from './sql/notify-wake.js';
import type { Queryable } from './sql/sql.js';

/**
 * Tells workers of new runs, and not too often: PostgreSQL lets commits that notify through one after the other, so a
 * NOTIFY in each of them costs more than half of all commits. A worker that was told looks again and again for a while,
 * and polls anyway, so that one that is left out costs delay, never a run.
 */

/** How often a statement that writes runs carries the NOTIFY along, for each queue. */
const INLINE_MS = 10;
/** The least time between two that are sent after the commit. */
const AFTER_MS = 2;

const toldMs = new Map<string, number>();

/** Which of these queues' workers the statement itself is to tell; the others are told after it, or not at all. */
export function takeInline(queues: readonly string[]): string[] {
  const nowMs = clock.monotonicMs();
  const taken = queues.filter((queue) => nowMs - (toldMs.get(queue) ?? -Infinity) >= INLINE_MS);
  for (const queue of taken) toldMs.set(queue, nowMs);
  return taken;
}

const senders = new WeakMap<Queryable, { readonly queues: Set<string>; isSending: boolean }>();

/** Tells the workers of these queues soon, on one connection at a time. It does not throw: they poll. */
export function wakeSoon(db: Queryable, queues: readonly string[]): void {
  const sender = senders.get(db) ?? { queues: new Set<string>(), isSending: false };
  senders.set(db, sender);
  for (const queue of queues) sender.queues.add(queue);
  if (!sender.isSending) void send(db, sender);
}

async function send(db: Queryable, sender: { readonly queues: Set<string>; isSending: boolean }): Promise<void> {
  sender.isSending = true;
  while (sender.queues.size > 0) {
    const queues = [...sender.queues];
    sender.queues.clear();
    const next = new Promise<void>((resolve) => clock.after(AFTER_MS, resolve));
    try {
      await notifyWake(db, queues);
    } catch {
      // the database has the runs, and its workers poll
    }
    await next;
  }
  sender.isSending = false;
}

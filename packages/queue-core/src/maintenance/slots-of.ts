import type { ChangedSlots } from '../ports/upkeep.js';

/** How many a worker of these queues runs at once: the least that is said of one of them, or what it was given. */
export function slotsOf<T extends number | null>(
  queues: readonly string[],
  changed: ChangedSlots,
  declared: T,
): T | number {
  const least = Math.min(...queues.map((queue) => changed[queue] ?? Infinity));
  return least < Infinity ? least : declared;
}

import type { WorkerEvent } from '@duework/queue-core';

/** Told by the tick; `slot.waiting` is for its own count. */
export type TickEvent =
  Extract<WorkerEvent, { name: 'slot.fired' | 'slot.skipped' | 'schedule.failed' }> | { readonly name: 'slot.waiting' };

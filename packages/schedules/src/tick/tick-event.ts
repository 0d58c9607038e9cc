import type { WorkerEvent } from '@duework/queue-core';

/** Events of a tick; `slot.waiting` is for the tick's own count. */
export type TickEvent =
  | Extract<WorkerEvent, { name: 'slot.fired' | 'slot.skipped' | 'schedule.failed' }>
  | { readonly name: 'slot.waiting' };

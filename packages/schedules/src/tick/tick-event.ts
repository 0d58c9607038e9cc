import type { WorkerEvent } from '@duework/queue-core';

/** Events of a tick; `schedule.waiting` is for the tick's own count. */
export type TickEvent =
  | Extract<WorkerEvent, { name: 'schedule.fired' | 'schedule.skipped' | 'schedule.failed' }>
  | { readonly name: 'schedule.waiting' };

import type { ErrorRecord, Json } from '@duework/queue-core';

/** The result of one attempt. */
export type PerformedJob =
  | { readonly outcome: 'complete'; readonly result: Json }
  /** It would run again after `delayMs`: it threw, asked for it, or ran out of time (`timeout`). */
  | { readonly outcome: 'retry'; readonly error: ErrorRecord; readonly delayMs: number }
  | { readonly outcome: 'snooze'; readonly delayMs: number }
  /** It is given up: it said so, met a permanent error, or had no attempt left. */
  | { readonly outcome: 'bury'; readonly error: ErrorRecord };

import { parseDuration, type Duration } from '@duework/contracts';
import type { Json } from './job.js';

/** What a handler decided about its attempt. */
export type Outcome =
  | { readonly kind: 'complete'; readonly result: Json }
  | { readonly kind: 'retry'; readonly reason: string; readonly delayMs: number | null }
  | { readonly kind: 'snooze'; readonly delayMs: number }
  | { readonly kind: 'bury'; readonly code: string; readonly reason: string };

/** Done. The result is kept with the run: plain JSON, small. */
export function complete(result: Json = null): Outcome {
  return { kind: 'complete', result };
}

/** Failed, try again: after `delay` (a provider's Retry-After, say), or as the contract's policy says. */
export function retry(reason: string, options: { delay?: Duration } = {}): Outcome {
  return { kind: 'retry', reason, delayMs: options.delay === undefined ? null : parseDuration(options.delay) };
}

/** Not yet: run again after `delay`, without charging the attempt. */
export function snooze(delay: Duration): Outcome {
  return { kind: 'snooze', delayMs: parseDuration(delay) };
}

/** Give up: dead, with a code to group by and a reason for people. */
export function bury(code: string, reason: string): Outcome {
  return { kind: 'bury', code, reason };
}

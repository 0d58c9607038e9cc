import { parseDuration, type Duration } from '@duework/contracts';
import type { Json } from '../queue/job.js';

/** What a handler decided about its attempt. */
export type Outcome<TResult = Json> =
  | { readonly kind: 'complete'; readonly result: TResult }
  | { readonly kind: 'retry'; readonly code: string; readonly reason: string; readonly delayMs: number | null }
  | { readonly kind: 'snooze'; readonly delayMs: number }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** A durable handler waits, until `wakesAt` (ISO 8601), which is in `delayMs`; its steps decide this, never the handler. */
  | { readonly kind: 'wait'; readonly delayMs: number; readonly wakesAt: string }
  | { readonly kind: 'bury'; readonly code: string; readonly reason: string };

/** The work is done. The result is kept with the run: plain JSON, small. */
export function complete(): Outcome<null>;
export function complete<TResult extends Json>(result: TResult): Outcome<TResult>;
export function complete(result: Json = null): Outcome {
  return { kind: 'complete', result };
}

/**
 * The attempt failed: try again after `delay` (a provider's Retry-After, say), or as the contract's policy says. `code`
 * is to group by.
 */
export function retry(
  reason: string,
  { delay, code = 'retry_requested' }: { delay?: Duration; code?: string } = {},
): Outcome<never> {
  return { kind: 'retry', code, reason, delayMs: delay === undefined ? null : parseDuration(delay) };
}

/** The run cannot go on yet: run it again after `delay`, without charging the attempt. */
export function snooze(delay: Duration): Outcome<never> {
  return { kind: 'snooze', delayMs: parseDuration(delay) };
}

/**
 * A provider refused for now (429, Retry-After): runs again after `retryAfter`, uncharged. Until then no run is let in
 * that shares its rates, or its limits if it has no rates. Without either it is a snooze that is not counted.
 */
export function rateLimited({ retryAfter }: { readonly retryAfter: Duration }): Outcome<never> {
  return { kind: 'rate_limited', retryAfterMs: parseDuration(retryAfter) };
}

/** Gives the run up: it is dead, with a code to group by and a reason for people. */
export function bury(code: string, reason: string): Outcome<never> {
  return { kind: 'bury', code, reason };
}

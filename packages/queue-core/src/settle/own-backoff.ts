import { type Catalog, LONGEST_MS } from '@duework/contracts';
import { showValue } from '@duework/sql/errors';
import type { HandlerLog } from '../run/handler.js';

/** Why an attempt has failed. */
export interface AttemptFailure {
  /** As it is stored, to tell errors apart: `ECONNREFUSED`, `http_503`, `timeout`. */
  readonly code: string;
  /** The class: `TypeError`. */
  readonly type: string;
  readonly message: string;
  /** What the handler threw; undefined: it returned `retry(…)`, or did not end in time. */
  readonly error: unknown;
}

/**
 * Milliseconds to wait after the `attempt`-th failed attempt (from 1); null or nothing: as the contract's `retry` says.
 */
export type Backoff = (attempt: number, failure: AttemptFailure) => number | null | undefined;

/** By type: when a failed attempt is retried. */
export type Backoffs<TCatalog extends Catalog> = { readonly [TType in TCatalog[number]['type']]?: Backoff };

/**
 * What such a function says. Null: it says nothing; or it throws, or says what is no time to wait, which the log is told: the
 * contract decides then.
 */
export function askBackoff(
  backoff: Backoff,
  attempt: number,
  failure: AttemptFailure,
  log: Pick<HandlerLog, 'warn'>,
): number | null {
  try {
    const delayMs: unknown = backoff(attempt, failure);
    if (delayMs === null || delayMs === undefined) return null;
    if (typeof delayMs === 'number' && delayMs >= 0 && delayMs <= LONGEST_MS) return delayMs;
    const error = `It returned ${showValue(delayMs)}; it must be a number of milliseconds from 0 to ${LONGEST_MS}.`;
    log.warn({ error }, WARNING);
  } catch (error) {
    log.warn({ error: error instanceof Error ? error.message : showValue(error) }, WARNING);
  }
  return null;
}

const WARNING = "the backoff of this run's type cannot be used: its contract says when it is retried";

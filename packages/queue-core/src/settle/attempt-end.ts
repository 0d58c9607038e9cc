/** How an attempt ends: with the outcome that its handler returned, or because it was aborted. */
import { brand, hasBrand } from '@duework/sql/errors';
import type { AbortCode } from '../ports/runs.js';
import type { Outcome } from './outcome.js';

export type { AbortCode };

/** Why an attempt was aborted: the `reason` of its AbortSignal, which whatever waits on the signal throws. */
export class AbortReason extends Error {
  static {
    brand(this, 'duework.abort-reason');
  }

  override readonly name = 'AbortReason';

  constructor(
    readonly code: AbortCode,
    message: string,
    /** Who asked to cancel, if anyone. */
    readonly by: string | null = null,
  ) {
    super(message);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is AbortReason {
    return hasBrand(error, 'duework.abort-reason');
  }
}

/** A handler that returns nothing has completed. */
const NOTHING_TO_SAY: Outcome<unknown> = { kind: 'complete', result: null };

/** What each kind of outcome has, and of which type. */
const FIELDS: Readonly<Record<Outcome['kind'], Readonly<Record<string, string>>>> = {
  complete: {},
  retry: { code: 'string', reason: 'string' },
  snooze: { delayMs: 'number' },
  rate_limited: { retryAfterMs: 'number' },
  wait: { delayMs: 'number', wakesAt: 'string' },
  bury: { code: 'string', reason: 'string' },
};

/**
 * The outcome that a handler decided on. Any other value than an outcome, such as what its mailer returned, is the result
 * of a run that has completed: the work is done, and doing it again because of a value would do it twice. Never throws.
 */
export function readOutcome(given: unknown): Outcome<unknown> {
  if (given === undefined || given === null) return NOTHING_TO_SAY;
  return isOutcome(given) ? given : { kind: 'complete', result: given };
}

/** false, too, for a value that throws when it is looked at. */
export function isOutcome(value: unknown): value is Outcome<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Record<string, unknown>;
  try {
    if (typeof given['kind'] !== 'string' || !Object.hasOwn(FIELDS, given['kind'])) return false;
    return Object.entries(FIELDS[given['kind'] as Outcome['kind']]).every(
      ([name, type]) => typeof given[name] === type,
    );
  } catch {
    return false;
  }
}

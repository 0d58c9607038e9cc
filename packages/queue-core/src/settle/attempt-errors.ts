import { brand, hasBrand } from '@duework/sql/errors';
import type { AbortCode } from '../ports/runs.js';

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
    /** Who asked to cancel, where somebody did. */
    readonly by: string | null = null,
  ) {
    super(message);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is AbortReason {
    return hasBrand(error, 'duework.abort-reason');
  }
}

/** The handler ignored its signal for a whole grace and was killed. */
export class HandlerKilledError extends Error {
  static {
    brand(this, 'duework.handler-killed-error');
  }

  override readonly name = 'HandlerKilledError';
  readonly code = 'handler_killed';

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is HandlerKilledError {
    return hasBrand(error, 'duework.handler-killed-error');
  }
}

/** A handler returned an outcome that is impossible, or outcomes that fit no jobs; only code without types can do that. */
export class OutcomeError extends Error {
  override readonly name = 'OutcomeError';
  readonly code = 'invalid_outcome';
}

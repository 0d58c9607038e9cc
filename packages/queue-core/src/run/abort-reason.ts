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

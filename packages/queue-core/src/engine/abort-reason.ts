import type { AbortCode } from '../ports/runs.js';

export type { AbortCode };

/** The reason of a handler's signal; whatever waits on the signal throws it. */
export class AbortReason extends Error {
  override readonly name = 'AbortReason';

  constructor(
    readonly code: AbortCode,
    message: string,
    /** Who asked to cancel, where somebody did. */
    readonly by: string | null = null,
  ) {
    super(message);
  }
}

import type { AbortCode } from '../ports/runs.js';

export type { AbortCode };

/** Why an attempt was aborted: the `reason` of its AbortSignal, which whatever waits on the signal throws. */
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

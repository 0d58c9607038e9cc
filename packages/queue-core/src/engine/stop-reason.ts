/** Why an attempt must end. */
export type StopCode = 'timeout' | 'cancelled' | 'lease_lost' | 'shutting_down';

/** The reason of a handler's signal; whatever waits on the signal throws it. */
export class StopReason extends Error {
  override readonly name = 'StopReason';

  constructor(
    readonly code: StopCode,
    message: string,
    /** Who asked to cancel, where somebody did. */
    readonly by: string | null = null,
  ) {
    super(message);
  }
}

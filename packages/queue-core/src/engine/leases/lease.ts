/** One claim of a run. Moments are on the monotonic clock, which all threads of a process share. */
export interface Lease {
  readonly id: string;
  readonly fence: number;
  readonly leaseMs: number;
  /** Taken before the statement that granted it was sent: it can only be early. */
  readonly grantedMs: number;
  /**
   * No renewal after this moment: an attempt has a maximum run time, whether its event loop still turns or not. Infinity
   * while the run waits in the buffer: it is renewed as long as the loop that is to start it turns.
   */
  readonly keepUntilMs: number;
}

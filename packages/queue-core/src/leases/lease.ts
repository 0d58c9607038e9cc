/** One claim of a run. Moments are on the monotonic clock, which all threads of a process share. */
export interface Lease {
  readonly id: string;
  readonly fence: number;
  readonly leaseMs: number;
  /** Read before the statement that granted the lease was sent: it can only be too early. */
  readonly grantedMs: number;
  /**
   * No renewal after this moment: an attempt has a maximum run time, whether its event loop still turns or not.
   * Infinity while the run waits in the buffer: its lease is renewed as long as the event loop that will start it
   * turns.
   */
  readonly keepUntilMs: number;
}

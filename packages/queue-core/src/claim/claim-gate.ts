/** What can keep a worker from claiming for a while, such as an event loop that is too slow. */
export interface ClaimGate {
  /**
   * Returns nothing while the worker may claim; otherwise a promise that resolves when it may claim again, or `signal`
   * aborts.
   */
  open(signal: AbortSignal): Promise<void> | undefined;
}

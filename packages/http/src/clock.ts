/** A monotonic clock in milliseconds, for durations. No other file reads the process clock. */
export function readMonotonicMs(): number {
  return performance.now();
}

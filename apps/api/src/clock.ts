/** Milliseconds that only ever go forward, for how long things took. The one place that reads the process clock. */
export function readMonotonicMs(): number {
  return performance.now();
}

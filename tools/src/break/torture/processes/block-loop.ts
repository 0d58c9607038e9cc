/** Blocks this thread, as a handler does that computes for too long. */
export function blockLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

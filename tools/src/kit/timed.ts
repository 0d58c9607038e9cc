/** Runs a function and returns how long it took, in milliseconds. */
export async function timed<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const startMs = performance.now();
  const result = await act();
  return { result, ms: performance.now() - startMs };
}

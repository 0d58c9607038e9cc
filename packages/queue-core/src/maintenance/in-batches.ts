/** Rows per statement of retention: few enough that it blocks nobody and holds its snapshot only briefly. */
export const BATCH = 10_000;

/**
 * Repeats a statement that handles `batch` rows at most until it finds fewer, or until `signal` aborts; the rest is
 * left for the next time. Returns how many rows it handled.
 */
export async function inBatches(
  signal: AbortSignal | undefined,
  act: (batch: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const handled = await act(BATCH);
    total += handled;
    if (handled < BATCH || signal?.aborted === true) return total;
  }
}

/** Rows per statement of retention: short enough to hold nobody up, and no snapshot for long. */
const BATCH = 10_000;

/**
 * Repeats a statement that handles `batch` rows at most until it finds fewer, or until somebody says stop; what is left
 * then is left for the next time. Returns how many it handled.
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

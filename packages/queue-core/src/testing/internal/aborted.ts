/** Rejects with its reason when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.aborted
      ? reject(signal.reason as Error)
      : signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

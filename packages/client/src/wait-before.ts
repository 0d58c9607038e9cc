const BASE_MS = 200;
const CAP_MS = 10_000;

/** How long to wait before the next try, in milliseconds: what the server asks for, or twice as long each time. */
export function waitBefore(tries: number, retryAfter: string | null): number {
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  if (seconds >= 0) return Math.min(CAP_MS, seconds * 1_000);
  return Math.min(CAP_MS, BASE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Resolves after so long; rejects with the signal's reason when that aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) return abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

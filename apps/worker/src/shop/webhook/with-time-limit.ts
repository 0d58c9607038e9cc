/**
 * Runs `act` with a signal that aborts when `outer` does, or after `limitMs` with what `makeError` makes. It rejects at
 * once then, even where `act` cannot be aborted: a name server's answer is then ignored.
 */
export async function withTimeLimit<T>(
  outer: AbortSignal,
  limitMs: number,
  makeError: () => Error,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  // not AbortSignal.any of a timeout: such a signal can be garbage-collected before it fires
  const limit = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
  });
  const onOuterAbort = (): void => limit.abort(outer.reason);
  outer.addEventListener('abort', onOuterAbort, { once: true });
  const timer = setTimeout(() => limit.abort(makeError()), limitMs);
  try {
    return await Promise.race([act(limit.signal), aborted]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', onOuterAbort);
  }
}

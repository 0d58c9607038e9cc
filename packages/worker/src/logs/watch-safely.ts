/**
 * Calls what only watches, such as a logger. Where it throws, or its promise rejects, `onFault` is told, and jobs run on as
 * if it had not.
 */
export function watchSafely(watch: () => unknown, onFault: (error: unknown) => void = () => {}): void {
  try {
    const answer = watch() as PromiseLike<unknown> | undefined;
    if (typeof answer?.then === 'function') answer.then(undefined, onFault);
  } catch (error) {
    onFault(error);
  }
}

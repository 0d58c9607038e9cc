import type { JobWatch } from '@duework/operate';

/** Resolves when a job has finished or is gone, after `ms`, or when its client is. */
export function waitForEnd(watch: JobWatch, id: string, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    let stop = (): void => {};
    signal.addEventListener('abort', end);
    stop = watch.watch(id, (state) => {
      if (state === null || state.finishedAt !== null) end();
    });
    // a state that was known has ended it already
    if (signal.aborted) end();
  });
}

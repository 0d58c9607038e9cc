/**
 * How the program that started this one (`npm start`) is asked to kill the worker and to start another one later. null:
 * it was not started over a channel, so nobody would do it.
 */
export function askParent(): ((restartAfterSeconds: number) => Promise<void>) | null {
  if (process.send === undefined) return null;
  return (restartAfterSeconds) =>
    new Promise((resolve, reject) => {
      process.send?.({ kind: 'kill-worker', restartAfterSeconds }, undefined, undefined, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
}

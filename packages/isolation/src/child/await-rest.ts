import { subscribe } from 'node:diagnostics_channel';
import type { MessagePort } from 'node:worker_threads';

/** How long what a handler has left may take to end by itself: a connection that closes, an answer that is read. */
const REST_MS = 10;

let hasStarted = false;
// what a child process has started in turn, nobody sees
subscribe('child_process', () => (hasStarted = true));

/**
 * Whether nothing that a handler has begun can go on in this thread: its event loop runs empty, and it has started no
 * process. What was told not to keep a program running (`unref`) doesn't count, as at the end of any program of Node.
 */
export function awaitRest(port: MessagePort): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isAtRest: boolean): void => {
      process.off('beforeExit', onEmpty);
      clearTimeout(timer);
      port.ref();
      resolve(isAtRest && !hasStarted);
    };
    const onEmpty = (): void => end(true);
    const timer = setTimeout(() => end(false), REST_MS).unref();
    process.on('beforeExit', onEmpty);
    port.unref();
  });
}

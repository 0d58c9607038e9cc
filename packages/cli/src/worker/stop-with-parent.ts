import { isStartedByNpm } from '../env.js';

const LOOK_MS = 1_000;

/**
 * A signal that aborts when the program that started this one is gone, whose worker must not run on: `duework dev`,
 * over IPC, which may be killed, and npm or npx, which do not pass a SIGTERM on.
 */
export function stopWithParent(): AbortSignal {
  const parent = new AbortController();
  if (process.channel) {
    process.once('disconnect', () => parent.abort());
    // nothing else is received, and the channel alone must not keep the process alive
    process.channel.unref();
  } else if (isStartedByNpm()) {
    const { ppid } = process;
    const look = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(look);
      parent.abort();
    }, LOOK_MS);
    look.unref();
  }
  return parent.signal;
}

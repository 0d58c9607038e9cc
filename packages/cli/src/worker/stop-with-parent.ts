/**
 * A signal that aborts when the program that started this one over IPC is gone: `duework dev` may be killed, and its
 * worker must not run on.
 */
export function stopWithParent(): AbortSignal {
  const parent = new AbortController();
  if (process.channel === undefined || process.channel === null) return parent.signal;
  process.once('disconnect', () => parent.abort());
  // nothing else is received, and the channel alone must not keep the process alive
  process.channel.unref();
  return parent.signal;
}

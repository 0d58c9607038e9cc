import { systemClock } from '@duework/queue-core/handling';

const INTERVAL_MS = 25;
/** What a thread takes before its handler does anything, plus garbage that is not collected yet. */
const ALLOWANCE_MB = 64;
const MIB = 1_048_576;

/**
 * Calls back once, when this process has grown by more than the limit: heap, Buffers, WebAssembly and native memory
 * alike, even while the handler's thread never yields. Not covered: memory that is taken and freed between two
 * measurements, and memory of processes that the handler has started. The returned function ends the watch.
 */
export function watchMemory(limitMb: number, onExceeded: () => void): () => void {
  const mostBytes = process.memoryUsage.rss() + (limitMb + ALLOWANCE_MB) * MIB;
  let cancel = (): void => {};
  const look = (): void => {
    if (process.memoryUsage.rss() > mostBytes) onExceeded();
    else cancel = systemClock.after(INTERVAL_MS, look);
  };
  look();
  return () => cancel();
}

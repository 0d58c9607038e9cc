import { systemClock } from '@duework/queue-core/handling';

const INTERVAL_MS = 25;
/** What a thread takes before its handler does anything, plus garbage that is not collected yet. */
const ALLOWANCE_MB = 64;
const MIB = 1_048_576;

export interface MemoryWatch {
  /** Watches while an attempt runs; the returned function ends the watch. */
  begin(): () => void;
  /** Whether enough is left for another attempt: what this process has kept is less than a quarter of its limit. */
  hasRoom(): boolean;
}

/**
 * Calls back once, when this process has grown by more than the limit since it was started: heap, Buffers, WebAssembly
 * and native memory alike, even while the handler's thread never yields. Not covered: memory that is taken and freed
 * between two measurements, and memory of processes that the handler has started.
 */
export function watchMemory(limitMb: number, onExceeded: () => void): MemoryWatch {
  const startBytes = process.memoryUsage.rss();
  const hasGrownBy = (mb: number): boolean => process.memoryUsage.rss() > startBytes + (mb + ALLOWANCE_MB) * MIB;
  return {
    begin: () => {
      let cancel = (): void => {};
      const look = (): void => {
        if (hasGrownBy(limitMb)) onExceeded();
        else cancel = systemClock.after(INTERVAL_MS, look);
      };
      look();
      return () => cancel();
    },
    hasRoom: () => !hasGrownBy(limitMb / 4),
  };
}

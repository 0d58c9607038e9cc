import { readMonotonicMs } from '../clock.js';

/** Returns what `read` has read, and reads it again once it is older than `ms`. What it throws is not kept. */
export function keepFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly untilMs: number } | undefined;
  return () => {
    if (kept === undefined || kept.untilMs <= readMonotonicMs()) {
      const value = read();
      const mine = { value, untilMs: readMonotonicMs() + ms };
      kept = mine;
      value.catch(() => {
        if (kept === mine) kept = undefined;
      });
    }
    return kept.value;
  };
}

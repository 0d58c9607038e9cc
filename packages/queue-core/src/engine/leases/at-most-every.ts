import type { Clock } from '../../clock.js';

/** Calls `act` at once, then at most every `ms`, and once more at the end for what came in between. */
export function atMostEvery(clock: Clock, ms: number, act: () => void): () => void {
  let isWaiting = false;
  let isDue = false;
  return function call() {
    if (isWaiting) {
      isDue = true;
      return;
    }
    isWaiting = true;
    clock.after(ms, () => {
      isWaiting = false;
      if (!isDue) return;
      isDue = false;
      call();
    });
    act();
  };
}

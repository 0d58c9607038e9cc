import type { Clock } from '../../clock.js';

/** A clock on which no time passes but what a test lets pass. */
export function createStillClock(): Clock & { pass(ms: number): void } {
  let nowMs = 0;
  return {
    monotonicMs: () => nowMs,
    after: () => () => {},
    pass: (passedMs) => (nowMs += passedMs),
  };
}

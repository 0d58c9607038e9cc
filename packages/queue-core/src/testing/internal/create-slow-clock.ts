import type { Clock } from '../../clock.js';

/** A clock for what reads it before and after a statement: `ms` pass at each reading, and nothing else takes any time. */
export function createSlowClock(ms: number): Clock & { pass(ms: number): void } {
  let nowMs = 0;
  return {
    monotonicMs: () => (nowMs += ms),
    after: () => () => {},
    pass: (passedMs) => (nowMs += passedMs),
  };
}

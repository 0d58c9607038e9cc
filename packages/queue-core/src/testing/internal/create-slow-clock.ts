import type { Clock } from '../../clock.js';

/** A clock for what reads it before and after a statement: each statement takes `ms` on it, and nothing else any time. */
export function createSlowClock(ms: number): Clock & { pass(ms: number): void } {
  let nowMs = 0;
  let readings = 0;
  return {
    monotonicMs: () => (readings++ % 2 === 0 ? nowMs : (nowMs += ms)),
    after: () => () => {},
    pass: (passedMs) => (nowMs += passedMs),
  };
}

import { quantile } from '../../../kit/quantile.js';

/** What a second of calls came to. */
export interface CallRate {
  readonly perSecond: number;
  /** Half of the calls took no longer, in milliseconds. */
  readonly p50Ms: number;
}

export interface CallForOptions {
  /** Callers at once, each of which waits for its answer before it calls again. */
  readonly callers: number;
  readonly ms: number;
}

/** Calls for a while, and returns how many calls a second were answered. */
export async function callFor({ callers, ms }: CallForOptions, call: () => Promise<unknown>): Promise<CallRate> {
  const tookMs: number[] = [];
  const beginMs = performance.now();
  const callOn = async (): Promise<void> => {
    for (let fromMs = beginMs; fromMs - beginMs < ms; fromMs = performance.now()) {
      await call();
      tookMs.push(performance.now() - fromMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, callOn));
  const seconds = (performance.now() - beginMs) / 1_000;
  return { perSecond: tookMs.length / seconds, p50Ms: quantile(tookMs, 0.5) };
}

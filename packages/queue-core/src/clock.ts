/**
 * The process clock: timers and the length of things, never what is due, which only the database's clock decides.
 * The one place that reads it, so that a test can bring its own.
 */
export interface Clock {
  /** Milliseconds that only ever go forward, from no particular moment; the same in every thread of the process. */
  monotonicMs(): number;
  /** Calls back after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when the event loop has turned; `setImmediate` unless given. */
  soon?(callback: () => void): void;
}

/** A clock that knows the date as well: the referee of a store that has no database to ask. */
export interface WallClock extends Clock {
  now(): Date;
}

/**
 * `performance.now()` costs half of `process.hrtime()` and makes no garbage, but counts from the start of its own thread. Both read
 * the same clock of the system; of a few pairs of readings the closest one tells how far they are apart.
 */
function findThreadStartMs(): number {
  let found = { startMs: 0, withinMs: Infinity };
  for (let pair = 0; pair < 5; pair++) {
    const beforeMs = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const withinMs = performance.now() - beforeMs;
    if (withinMs < found.withinMs) found = { startMs: seconds * 1e3 + nanoseconds / 1e6 - beforeMs, withinMs };
  }
  return found.startMs;
}

const threadStartMs = findThreadStartMs();

export const systemClock: WallClock = {
  now: () => new Date(),
  monotonicMs: () => threadStartMs + performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Calls back when the event loop has turned once: what has arrived by then was heard. */
export function soon(clock: Clock, callback: () => void): void {
  if (clock.soon === undefined) setImmediate(callback);
  else clock.soon(callback);
}

/** Resolves after `ms`, or as soon as `signal` aborts; it never rejects. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Waits for `promise`, but no longer than `ms`; what it rejects with is thrown. Leaves no timer behind. */
export async function waitAtMost(clock: Clock, ms: number, promise: Promise<unknown>): Promise<void> {
  const isOver = new AbortController();
  try {
    await Promise.race([promise, pause(clock, ms, isOver.signal)]);
  } finally {
    isOver.abort();
  }
}

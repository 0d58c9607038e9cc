/**
 * The process clock: for timers and durations. What is due is decided by the database's clock alone.
 * Only this file reads the process clock, so that a test can use its own.
 */
export interface Clock {
  /** Milliseconds since an arbitrary moment, which never go back and are the same in every thread of the process. */
  monotonicMs(): number;
  /** Calls back after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when the event loop has turned; default `setImmediate`. */
  soon?(callback: () => void): void;
}

/** A clock that also knows the date: it decides what is due in a store without a database. */
export interface WallClock extends Clock {
  now(): Date;
}

/**
 * `performance.now()` costs half of `process.hrtime()` and makes no garbage, but counts from the start of its own
 * thread. Both read the same system clock, so their difference is constant: the closest of a few pairs of readings
 * gives it.
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

/** The longest time that one timer of Node can wait, 24.8 days: a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

const threadStartMs = findThreadStartMs();

export const systemClock: WallClock = {
  now: () => new Date(),
  monotonicMs: () => threadStartMs + performance.now(),
  after: (ms, callback) => {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const isLast = leftMs <= MAX_TIMER_MS;
      timer = setTimeout(isLast ? callback : () => wait(leftMs - MAX_TIMER_MS), Math.min(leftMs, MAX_TIMER_MS));
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Calls back when the event loop has turned once, so that what has arrived by now is received first. */
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

/** Waits for `promise`, but no longer than `ms`; throws what the promise rejects with. Leaves no timer behind. */
export async function waitAtMost(clock: Clock, ms: number, promise: Promise<unknown>): Promise<void> {
  const isOver = new AbortController();
  try {
    await Promise.race([promise, pause(clock, ms, isOver.signal)]);
  } finally {
    isOver.abort();
  }
}

/** ±20 %, so that fifty workers that started together do not poll together. `random` is in [0, 1). */
export function spreadPoll(intervalMs: number, random: number): number {
  return intervalMs * (0.8 + 0.4 * random);
}

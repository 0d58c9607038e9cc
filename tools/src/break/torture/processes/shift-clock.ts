const TrueDate = Date;

/** Makes this process's date wrong by `ms`, as a machine without NTP is; its monotonic clock goes on as before. */
export function shiftClock(ms: number): void {
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [TrueDate.now() + ms] : given, made) as Date,
    get: (target, name) => (name === 'now' ? () => TrueDate.now() + ms : (Reflect.get(target, name) as unknown)),
  });
}

/** Blocks this thread, as a handler does that computes for too long. */
export function blockLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

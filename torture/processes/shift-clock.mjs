const TrueDate = Date;

/** Makes this process's date wrong by `ms`, as a machine without NTP is; its monotonic clock goes on as before. */
export function shiftClock(ms) {
  globalThis.Date = class extends TrueDate {
    constructor(...given) {
      if (given.length === 0) super(TrueDate.now() + ms);
      else super(...given);
    }

    static now() {
      return TrueDate.now() + ms;
    }
  };
}

import { DueworkError } from '@duework/queue-core';

/** A moment at which a zone's offset from UTC changes: `fromMs` before it, `toMs` from it on. */
export interface Transition {
  readonly atMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY_MS = 86_400_000;
/** How many years are kept for each zone. */
const MAX_YEARS = 1_000;
/** No zone has had two transitions nearer to each other than this since 1970. */
const SAMPLE_MS = 3 * DAY_MS;
/** Offsets lie between -12 h and +14 h, so no clock was ever set back or forward by more than this. */
const MAX_SHIFT_MS = 26 * 3_600_000;

/**
 * The offsets of one IANA zone, as the runtime's ICU knows them. Years are searched once and then remembered, so that
 * later questions format no date.
 */
export class ZoneCalendar {
  readonly #format: Intl.DateTimeFormat;
  readonly #years = new Map<number, readonly Transition[]>();

  private constructor(readonly zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  static readonly #known = new Map<string, ZoneCalendar>();

  /** Throws `unknown_time_zone`. An offset such as `+02:00` is not a zone: it has no summer and winter time. */
  static of(zone: string): ZoneCalendar {
    if (typeof zone !== 'string') throw new DueworkError('unknown_time_zone', { zone });
    // cached in lower case: a zone has many spellings, and a calendar is large
    const name = zone.toLowerCase();
    const known = ZoneCalendar.#known.get(name);
    if (known !== undefined) return known;
    if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(zone)) throw new DueworkError('unknown_time_zone', { zone });
    try {
      const calendar = new ZoneCalendar(zone);
      ZoneCalendar.#known.set(name, calendar);
      return calendar;
    } catch (cause) {
      throw new DueworkError('unknown_time_zone', { zone }, { cause });
    }
  }

  /** Local time minus UTC at that moment. */
  offsetAt(ms: number): number {
    const transitions = this.#transitionsOf(yearOf(ms));
    for (const transition of transitions) if (ms < transition.atMs) return transition.fromMs;
    return transitions.at(-1)?.toMs ?? this.#readOffset(ms);
  }

  /** The first transition after `afterMs`, up to and including `untilMs`; null: there is none. */
  nextTransition(afterMs: number, untilMs: number): Transition | null {
    for (let year = yearOf(afterMs); year <= yearOf(untilMs); year++) {
      const found = this.#transitionsOf(year).find(({ atMs }) => atMs > afterMs);
      if (found !== undefined) return found.atMs <= untilMs ? found : null;
    }
    return null;
  }

  /** The newest transition at or before `ms` whose doubled or missing local time can still matter at `ms`. */
  recentTransition(ms: number): Transition | null {
    let found = this.nextTransition(ms - MAX_SHIFT_MS, ms);
    for (let next = found; next !== null; next = this.nextTransition(next.atMs, ms)) found = next;
    return found;
  }

  /** The local date and time as if it were UTC. */
  toLocal(ms: number): number {
    return ms + this.offsetAt(ms);
  }

  #transitionsOf(year: number): readonly Transition[] {
    const known = this.#years.get(year);
    if (known !== undefined) return known;
    if (this.#years.size >= MAX_YEARS) this.#years.clear();
    const transitions: Transition[] = [];
    const endMs = Date.UTC(year + 1, 0, 1);
    let fromMs = Date.UTC(year, 0, 1) - 1;
    let offset = this.#readOffset(fromMs);
    while (fromMs < endMs - 1) {
      const toMs = Math.min(fromMs + SAMPLE_MS, endMs - 1);
      const next = this.#readOffset(toMs);
      if (next !== offset) transitions.push(this.#findTransition(fromMs, toMs, offset, next));
      [fromMs, offset] = [toMs, next];
    }
    this.#years.set(year, transitions);
    return transitions;
  }

  #findTransition(lowMs: number, highMs: number, from: number, to: number): Transition {
    let [low, high] = [lowMs, highMs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#readOffset(middle) === from) low = middle;
      else high = middle;
    }
    return { atMs: high, fromMs: from, toMs: to };
  }

  #readOffset(ms: number): number {
    const wholeMs = Math.floor(ms / 1_000) * 1_000;
    const [, month, day, year, hour, minute, second] = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/
      .exec(this.#format.format(wholeMs))!
      .map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - wholeMs;
  }
}

/** Whether a rule can have this time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    ZoneCalendar.of(zone);
    return true;
  } catch {
    return false;
  }
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

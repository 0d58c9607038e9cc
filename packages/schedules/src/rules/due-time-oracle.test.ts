/**
 * Random rules, zones and outages against an oracle that shares nothing with the product: it steps through every minute
 * of several years, reads the local time from ICU, and checks whether the minute is in the rule's sets.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decideDueTimes, MAX_DUE_TIMES, type DueSchedule, type MissedPolicy } from '../due-times/decide-due-times.js';
import { nextDueTime, nextDueTimes } from './next-due-times.js';
import { parseRule } from './rule.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Clocks change at full quarters of an hour, in the zones and years that are tested here … */
const QUARTER = 15;
/** … and nowhere twice within this time. */
const HOUR = 60;

interface Years {
  readonly startMs: number;
  /** Local time of each minute, in minutes, as if it were UTC. */
  readonly local: Int32Array;
  /** The minutes at which the offset changes. */
  readonly changes: readonly number[];
}

const ZONES: readonly (readonly [zone: string, from: number, to: number])[] = [
  ['UTC', 2026, 2028],
  ['Europe/Berlin', 2026, 2029],
  ['America/New_York', 2026, 2028],
  ['Australia/Lord_Howe', 2026, 2028],
  ['Antarctica/Troll', 2026, 2028],
  ['America/Havana', 2026, 2028],
  ['America/Santiago', 2026, 2028],
  ['Africa/Casablanca', 2026, 2028],
  ['Pacific/Chatham', 2026, 2028],
  ['Asia/Kathmandu', 2026, 2027],
  ['Asia/Beirut', 2026, 2028],
  ['Pacific/Apia', 2010, 2012],
];

const yearsOf = new Map<string, Years>();

function stepThrough(zone: string, fromYear: number, toYear: number): Years {
  const known = yearsOf.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  const startMs = Date.UTC(fromYear, 0, 1);
  const local = new Int32Array((Date.UTC(toYear, 0, 1) - startMs) / MINUTE_MS);
  const read = (minute: number): number => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d+):(\d+))?$/.exec(format.format(startMs + minute * MINUTE_MS))!;
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  const changes: number[] = [];
  let offset = read(0);
  for (let hour = 0; hour < local.length; hour += HOUR) {
    const isChanged = read(hour + HOUR) !== offset;
    for (let minute = hour; minute < hour + HOUR; minute++) {
      const now = isChanged && minute % QUARTER === 0 ? read(minute) : offset;
      if (now !== offset) changes.push(minute);
      offset = now;
      local[minute] = startMs / MINUTE_MS + minute + offset;
    }
  }
  const years = { startMs, local, changes };
  yearsOf.set(zone, years);
  return years;
}

interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

interface Fields {
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
}

function field(min: number, max: number): fc.Arbitrary<Field> {
  const all = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const number = fc.integer({ min, max });
  return fc.oneof(
    fc.constant({ text: '*', values: new Set(all) }),
    fc
      .integer({ min: 1, max: Math.min(30, max - min) })
      .map((step) => ({ text: `*/${step}`, values: new Set(all.filter((value) => (value - min) % step === 0)) })),
    fc
      .uniqueArray(number, { minLength: 1, maxLength: 3 })
      .map((values) => ({ text: values.join(','), values: new Set(values) })),
    fc.tuple(number, number).map(([a, b]) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      return { text: `${low}-${high}`, values: new Set(all.filter((value) => value >= low && value <= high)) };
    }),
  );
}

const star = (min: number, max: number): fc.Arbitrary<Field> =>
  fc.constant({ text: '*', values: new Set(Array.from({ length: max - min + 1 }, (_, index) => min + index)) });
const stepped = (min: number, max: number): fc.Arbitrary<Field> =>
  fc.integer({ min: 2, max: 4 }).map((step) => ({
    text: `*/${step}`,
    values: new Set(
      Array.from({ length: max - min + 1 }, (_, n) => min + n).filter((value) => (value - min) % step === 0),
    ),
  }));
const list = (min: number, max: number): fc.Arbitrary<Field> =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
    .map((values) => ({ text: values.join(','), values: new Set(values) }));

const fields: fc.Arbitrary<Fields> = fc.record({
  minute: field(0, 59),
  // the hours at which clocks change, more often than others
  hour: fc.oneof(
    field(0, 23),
    fc.constantFrom(0, 1, 2, 3, 23).map((hour) => ({ text: String(hour), values: new Set([hour]) })),
  ),
  day: fc.oneof(
    { weight: 6, arbitrary: star(1, 31) },
    { weight: 2, arbitrary: list(1, 31) },
    { weight: 1, arbitrary: stepped(1, 31) },
  ),
  month: fc.oneof({ weight: 4, arbitrary: star(1, 12) }, { weight: 1, arbitrary: list(1, 12) }),
  weekday: fc.oneof(
    { weight: 6, arbitrary: star(0, 6) },
    { weight: 2, arbitrary: list(0, 6) },
    { weight: 1, arbitrary: stepped(0, 6) },
  ),
});

function isDay({ day, month, weekday }: Fields, localDay: number): boolean {
  const date = new Date(localDay * DAY_MS);
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const [isDayOfMonth, isWeekday] = [day.values.has(date.getUTCDate()), weekday.values.has(date.getUTCDay())];
  // cron's old rule: where both days are named, either matches; one that begins with a star counts as not named
  const isNamed = ({ text }: Field): boolean => !text.startsWith('*');
  return isNamed(day) && isNamed(weekday) ? isDayOfMonth || isWeekday : isDayOfMonth && isWeekday;
}

/** The due times from minute `from` on, found by checking every minute. */
function* oracle(rule: Fields, { local }: Years, from: number): Generator<number> {
  const isHourly = rule.hour.values.size === 24;
  const isRepeated = isHourly || rule.minute.text.startsWith('*');
  const isTime = Uint8Array.from({ length: 1440 }, (_, at) =>
    rule.minute.values.has(at % 60) && rule.hour.values.has(Math.floor(at / 60)) ? 1 : 0,
  );
  // each day is looked up once
  let [known, isKnownDay] = [-1, false];
  const isOnDay = (localDay: number): boolean => {
    if (localDay !== known) [known, isKnownDay] = [localDay, isDay(rule, localDay)];
    return isKnownDay;
  };
  const matches = (at: number): boolean => isTime[at % 1440] === 1 && isOnDay((at / 1440) | 0);
  let shownUpTo = -Infinity;
  for (let minute = Math.max(0, from - 3 * 1440); minute < local.length; minute++) {
    const at = local[minute]!;
    const isFirst = at > shownUpTo;
    let isDueTime = matches(at) && (isFirst || isRepeated);
    if (!isHourly && at > shownUpTo + 1 && shownUpTo > 0) {
      for (let missing = shownUpTo + 1; missing < at; missing++) isDueTime ||= matches(missing);
    }
    // not Math.max: in jest's sandbox each use of a global costs as much as all the rest of this loop
    if (isFirst) shownUpTo = at;
    if (isDueTime && minute >= from) yield minute;
  }
}

function take<T>(count: number, items: Iterator<T>): T[] {
  const taken: T[] = [];
  for (let next = items.next(); !next.done && taken.length < count; next = items.next()) taken.push(next.value);
  return taken;
}

describe.each(ZONES)('%s', (zone, fromYear, toYear) => {
  test('any rule has the due times that a walk through every minute finds', () => {
    const years = stepThrough(zone, fromYear, toYear);
    const end = years.local.length;
    const nearChange =
      years.changes.length === 0
        ? fc.integer({ min: 0, max: end - 1 })
        : fc
            .tuple(fc.constantFrom(...years.changes), fc.integer({ min: -2880, max: 1440 }))
            .map(([change, shift]) => Math.max(0, change + shift));
    const start = fc.oneof(
      { weight: 3, arbitrary: nearChange },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: end - 1 }) },
    );
    fc.assert(
      fc.property(fields, start, (given, from) => {
        const cron = [given.minute, given.hour, given.day, given.month, given.weekday]
          .map(({ text }) => text)
          .join(' ');
        const rule = parseRule({ cron, timeZone: zone });
        const expected = take(300, oracle(given, years, from));
        const found = nextDueTimes(rule, years.startMs + from * MINUTE_MS - 1, expected.length).map(
          (ms) => (ms - years.startMs) / MINUTE_MS,
        );
        expect({ cron, from, found }).toEqual({ cron, from, found: expected });
        // and no further due time within the years, where the walk came to their end
        if (expected.length < 300) {
          const beyond = nextDueTime(rule, years.startMs + (expected.at(-1) ?? from - 1) * MINUTE_MS);
          expect(beyond === null || beyond >= years.startMs + end * MINUTE_MS).toBe(true);
        }
      }),
      { numRuns: 40, seed: 20_261_120 + zone.length },
    );
  });

  test('a rule has the same due times wherever the search begins', () => {
    fc.assert(
      fc.property(
        fields,
        fc.integer({ min: 0, max: 700 }),
        fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 5 }),
        (given, day, steps) => {
          const rule = parseRule({
            cron: [given.minute, given.hour, given.day, given.month, given.weekday].map(({ text }) => text).join(' '),
            timeZone: zone,
          });
          const startMs = Date.UTC(fromYear, 0, 1) + day * DAY_MS;
          const dueTimes = nextDueTimes(rule, startMs, 20);
          for (const step of steps) {
            const fromMs = startMs + step * MINUTE_MS;
            expect(nextDueTime(rule, fromMs)).toBe(
              dueTimes.find((dueTime) => dueTime > fromMs) ??
                nextDueTime(rule, Math.max(fromMs, dueTimes.at(-1) ?? fromMs)),
            );
          }
        },
      ),
      { numRuns: 30, seed: 7 },
    );
  });
});

describe('after outages', () => {
  const missed: fc.Arbitrary<MissedPolicy> = fc.record({
    policy: fc.constantFrom('skip', 'latest', 'all'),
    toleranceMs: fc.integer({ min: 0, max: 600_000 }),
    limit: fc.integer({ min: 1, max: 20 }),
    maxAgeMs: fc.integer({ min: 60_000, max: 3 * DAY_MS }),
  });
  const gaps = fc.array(fc.oneof(fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 120_000, max: 3 * DAY_MS })), {
    minLength: 1,
    maxLength: 8,
  });

  test('every due time is decided once, in order, and fires exactly when its policy says so', () => {
    fc.assert(
      fc.property(
        fields,
        fc.constantFrom(...ZONES.map(([zone]) => zone)),
        missed,
        fc.integer({ min: 0, max: 900_000 }),
        gaps,
        (given, timeZone, policy, splayOffsetMs, steps) => {
          const rule = parseRule({
            cron: [given.minute, given.hour, given.day, given.month, given.weekday].map(({ text }) => text).join(' '),
            timeZone,
          });
          let nowMs = Date.UTC(2026, 2, 20);
          let nextDueMs = nextDueTime(rule, nowMs);
          const first = nextDueMs;
          const decided: { dueMs: number; outcome: string; nowMs: number; isLast: boolean }[] = [];
          for (const step of steps) {
            nowMs += step;
            for (;;) {
              const schedule: DueSchedule = {
                rule,
                splayOffsetMs,
                nextDueMs,
                missed: policy,
                overlap: { policy: 'allow', limit: 1 },
                hasLiveRun: false,
                waitingMs: [],
              };
              if (nextDueMs === null || nextDueMs + splayOffsetMs > nowMs) break;
              const { dueTimes, nextDueMs: next } = decideDueTimes(schedule, nowMs);
              expect(dueTimes.length).toBeLessThanOrEqual(MAX_DUE_TIMES);
              const isLast = next === null || next + splayOffsetMs > nowMs;
              decided.push(
                ...dueTimes.map(({ dueMs, outcome }, index) => ({
                  dueMs,
                  outcome,
                  nowMs,
                  isLast: isLast && index === dueTimes.length - 1,
                })),
              );
              nextDueMs = next;
            }
          }
          // every due time up to the last tick, once, in order; this many minutes at most, so no outage is cut short
          const all: number[] = [];
          for (
            let dueTime = first;
            dueTime !== null && dueTime + splayOffsetMs <= nowMs && all.length <= decided.length;
            dueTime = nextDueTime(rule, dueTime)
          )
            all.push(dueTime);
          expect(decided.map(({ dueMs }) => dueMs)).toEqual(all);
          const sizes = new Map<number, number>();
          for (const { nowMs: tickMs } of decided) sizes.set(tickMs, (sizes.get(tickMs) ?? 0) + 1);
          for (const { dueMs, outcome, nowMs: tickMs, isLast } of decided) {
            const lateMs = tickMs - dueMs - splayOffsetMs;
            const newerCount = sizes.get(tickMs)! - 1;
            sizes.set(tickMs, newerCount);
            const fires =
              policy.policy === 'skip'
                ? isLast && lateMs <= policy.toleranceMs
                : policy.policy === 'latest'
                  ? isLast
                  : lateMs <= policy.maxAgeMs && newerCount < policy.limit;
            if (outcome !== (fires ? 'fire' : 'skip'))
              throw new Error(`${new Date(dueMs).toISOString()} has ${outcome}`);
          }
        },
      ),
      { numRuns: 150, seed: 4 },
    );
  });
});

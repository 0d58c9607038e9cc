import { describe, expect, test } from '@jest/globals';
import { nextDueTimes } from './next-due-times.js';
import { formatLocal, previewSchedule } from '../preview-schedule.js';
import { parseRule, type RuleInput } from './rule.js';

const locals = (rule: RuleInput, after: string, count: number): string[] =>
  nextDueTimes(parseRule(rule), Date.parse(after), count).map((ms) => formatLocal(ms, rule.timeZone ?? 'UTC'));

describe('where a clock is set forward', () => {
  test('Berlin: 02:30 does not exist on 29 March 2026 and runs at 03:00, right after the gap', () => {
    expect(locals({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T02:30:00+01:00',
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:30:00+02:00',
    ]);
  });

  test('Berlin: several times in the gap are one due time, together with the time right after it', () => {
    expect(locals({ cron: '*/10 2 * * *', timeZone: 'Europe/Berlin' }, '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:00:00+02:00',
    ]);
    expect(locals({ cron: '0,30 2-3 * * *', timeZone: 'Europe/Berlin' }, '2026-03-29T00:00:00Z', 3)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-29T03:30:00+02:00',
      '2026-03-30T02:00:00+02:00',
    ]);
  });

  test('Berlin: an hourly rule runs each real hour, and has no due time for the missing hour', () => {
    expect(locals({ cron: '30 * * * *', timeZone: 'Europe/Berlin' }, '2026-03-29T00:00:00Z', 3)).toEqual([
      '2026-03-29T01:30:00+01:00',
      '2026-03-29T03:30:00+02:00',
      '2026-03-29T04:30:00+02:00',
    ]);
  });

  test('Lord Howe: a shift of 30 minutes moves 02:15 to 02:30', () => {
    expect(locals({ cron: '15 2 * * *', timeZone: 'Australia/Lord_Howe' }, '2026-10-03T00:00:00Z', 2)).toEqual([
      '2026-10-04T02:30:00+11:00',
      '2026-10-05T02:15:00+11:00',
    ]);
  });

  test('Troll: a shift of two hours moves 01:30 and 02:30 to 03:00', () => {
    expect(locals({ cron: '30 1,2 * * *', timeZone: 'Antarctica/Troll' }, '2026-03-29T00:00:00Z', 3)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T01:30:00+02:00',
      '2026-03-30T02:30:00+02:00',
    ]);
  });

  test('Apia: 30 December 2011 does not exist, and its noon runs when the 31st begins', () => {
    expect(locals({ cron: '0 12 * * *', timeZone: 'Pacific/Apia' }, '2011-12-29T00:00:00Z', 4)).toEqual([
      '2011-12-29T12:00:00-10:00',
      '2011-12-31T00:00:00+14:00',
      '2011-12-31T12:00:00+14:00',
      '2012-01-01T12:00:00+14:00',
    ]);
  });
});

describe('where a clock is set back', () => {
  test('Berlin: 02:30 exists twice on 25 October 2026 and runs the first time only', () => {
    expect(locals({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T02:30:00+02:00',
      '2026-10-26T02:30:00+01:00',
    ]);
  });

  test('Berlin: after the first 02:30 of the day the second is no due time', () => {
    expect(locals({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-10-25T01:00:00Z', 1)).toEqual([
      '2026-10-26T02:30:00+01:00',
    ]);
  });

  test('Berlin: an hourly rule runs both hours, and so does every quarter of an hour', () => {
    expect(locals({ cron: '0 * * * *', timeZone: 'Europe/Berlin' }, '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ]);
    expect(locals({ cron: '*/30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-10-24T23:30:00Z', 5)).toEqual([
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T02:30:00+01:00',
      '2026-10-26T02:00:00+01:00',
    ]);
  });

  test('Lord Howe: 01:45 exists twice, half an hour apart, and runs once', () => {
    expect(locals({ cron: '45 1 * * *', timeZone: 'Australia/Lord_Howe' }, '2026-04-04T00:00:00Z', 2)).toEqual([
      '2026-04-05T01:45:00+11:00',
      '2026-04-06T01:45:00+10:30',
    ]);
  });

  test('Troll: 01:30 exists twice, two hours apart, and runs once', () => {
    expect(locals({ cron: '30 1 * * *', timeZone: 'Antarctica/Troll' }, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T01:30:00+02:00',
      '2026-10-26T01:30:00+00:00',
    ]);
  });

  test('Kwajalein: 21 August 1993 does not exist, and its noon runs when the 22nd begins', () => {
    expect(locals({ cron: '0 12 * * *', timeZone: 'Pacific/Kwajalein' }, '1993-08-20T00:00:00Z', 3)).toEqual([
      '1993-08-20T12:00:00-12:00',
      '1993-08-22T00:00:00+12:00',
      '1993-08-22T12:00:00+12:00',
    ]);
  });
});

describe('intervals, single moments, and the bounds of a rule', () => {
  test('the due times of an interval are its multiples from 1970, or from the start', () => {
    expect(locals({ every: '15m' }, '2026-01-01T00:07:00Z', 2)).toEqual([
      '2026-01-01T00:15:00+00:00',
      '2026-01-01T00:30:00+00:00',
    ]);
    expect(locals({ every: '15m', startsAt: new Date('2026-01-01T00:08:00Z') }, '2025-01-01T00:00:00Z', 2)).toEqual([
      '2026-01-01T00:08:00+00:00',
      '2026-01-01T00:23:00+00:00',
    ]);
  });

  test('a single moment fires once', () => {
    expect(locals({ at: new Date('2026-01-01T09:00:00Z') }, '2026-01-01T08:59:59Z', 5)).toEqual([
      '2026-01-01T09:00:00+00:00',
    ]);
    expect(locals({ at: new Date('2026-01-01T09:00:00Z') }, '2026-01-01T09:00:00Z', 5)).toEqual([]);
  });

  test('a rule includes its start and excludes its end', () => {
    const rule = {
      cron: '0 9 * * *',
      startsAt: new Date('2026-01-02T09:00:00Z'),
      endsAt: new Date('2026-01-04T09:00:00Z'),
    };
    expect(locals(rule, '2026-01-01T00:00:00Z', 5)).toEqual(['2026-01-02T09:00:00+00:00', '2026-01-03T09:00:00+00:00']);
  });

  test('a rule for 29 February fires every fourth year', () => {
    expect(locals({ cron: '0 0 29 2 *', timeZone: 'America/New_York' }, '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00:00-05:00',
      '2032-02-29T00:00:00-05:00',
    ]);
  });

  test.each(['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually', ' @Daily '])(
    '%s is known',
    (cron) => {
      expect(locals({ cron }, '2026-01-01T00:00:00Z', 1)).toHaveLength(1);
    },
  );
});

describe('a rule with seconds', () => {
  const fires = (cron: string, after: string, count: number): string[] => locals({ cron }, after, count);

  test('fires at its seconds, and one without them at second 0', () => {
    expect(fires('*/20 * * * * *', '2026-01-01T00:00:10Z', 3)).toEqual([
      '2026-01-01T00:00:20+00:00',
      '2026-01-01T00:00:40+00:00',
      '2026-01-01T00:01:00+00:00',
    ]);
    expect(fires('15 30 9 * * 1', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2026-01-05T09:30:15+00:00',
      '2026-01-12T09:30:15+00:00',
    ]);
    expect(fires('0 30 9 * * *', '2026-01-01T00:00:00Z', 3)).toEqual(fires('30 9 * * *', '2026-01-01T00:00:00Z', 3));
  });

  test('names its days as one without them', () => {
    expect(fires('0 0 9 */2 * 1', '2025-01-01T00:00:00Z', 2)).toEqual(fires('0 9 */2 * 1', '2025-01-01T00:00:00Z', 2));
    expect(fires('0 0 0 13 * 5', '2025-01-01T00:00:00Z', 3)).toEqual(fires('0 0 13 * 5', '2025-01-01T00:00:00Z', 3));
  });

  test('Berlin: in the gap it is one due time, in the doubled hour it runs both times if it is every few seconds', () => {
    expect(locals({ cron: '30 30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:30:30+02:00',
    ]);
    expect(locals({ cron: '30 30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T02:30:30+02:00',
      '2026-10-26T02:30:30+01:00',
    ]);
    expect(locals({ cron: '0,30 * * * * *', timeZone: 'Europe/Berlin' }, '2026-10-25T00:59:20Z', 2)).toEqual([
      '2026-10-25T02:59:30+02:00',
      '2026-10-25T02:00:00+01:00',
    ]);
  });

  test.each([
    ['*/10 * * * * *', 'Every 10 seconds, in UTC'],
    ['15 30 9 * * 1', 'At 09:30:15, only on Monday, in UTC'],
  ])('%s has its meaning in words', (cron, words) => {
    expect(previewSchedule({ cron }, { after: new Date() }).words).toBe(words);
  });
});

describe('a rule that names both days', () => {
  test.each([
    ['0 9 */2 * 1', ['2025-01-13', '2025-01-27', '2025-02-03'], /both must match/],
    ['0 0 15 * */3', ['2025-01-15', '2025-02-15', '2025-03-15'], /both must match/],
    ['0 0 13 * 5', ['2025-01-03', '2025-01-10', '2025-01-13'], /one of them is enough/],
    ['0 0 1 * *', ['2025-02-01', '2025-03-01', '2025-04-01'], /^[^(]+$/],
  ])('%s fires when crontab would, and says what it means', (cron, days, words) => {
    const { dueTimes, words: told } = previewSchedule({ cron }, { after: new Date('2025-01-01T00:00:00Z'), count: 3 });
    expect(dueTimes.map(({ dueAt }) => dueAt.toISOString().slice(0, 10))).toEqual(days);
    expect(told).toMatch(words);
  });
});

describe('a rule that cannot be meant is refused', () => {
  test.each([
    ['0 0 0 * *', '0 is no day of a month, which goes from 1 to 31'],
    ['0 0 32 * *', '32 is no day of a month, which goes from 1 to 31'],
    ['0 0 0-5 * *', '0 is no day of a month, which goes from 1 to 31'],
    ['0 0 1 0 *', '0 is no month, which goes from 1 to 12'],
    ['0 0 1 13 *', '13 is no month, which goes from 1 to 12'],
    ['60 * * * *', '60 is no minute, which goes from 0 to 59'],
    ['60 * * * * *', '60 is no second, which goes from 0 to 59'],
    ['0 24 * * *', '24 is no hour, which goes from 0 to 23'],
    ['0 0 * * 8', '8 is no day of the week, which goes from 0 to 7'],
  ])('%s, by the number that was written', (cron, reason) => {
    expect(() => previewSchedule({ cron }, { after: new Date() })).toThrow(reason);
  });

  const refusal = (rule: unknown): unknown => {
    try {
      return previewSchedule(rule as RuleInput, { after: new Date('2026-01-01T00:00:00Z') });
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  test.each([
    ['an empty string', { cron: '' }, 'invalid_cron'],
    ['spaces', { cron: '   ' }, 'invalid_cron'],
    ['four fields', { cron: '* * * *' }, 'invalid_cron'],
    ['seven fields', { cron: '0 0 9 * * * 2026' }, 'invalid_cron'],
    ['a second of 60', { cron: '60 0 9 * * *' }, 'invalid_cron'],
    ['a minute of 60', { cron: '60 9 * * *' }, 'invalid_cron'],
    ['a step of nought', { cron: '*/0 9 * * *' }, 'invalid_cron'],
    ['a range backwards', { cron: '0 22-2 * * *' }, 'invalid_cron'],
    ['a question mark', { cron: '? ? * * *' }, 'invalid_cron'],
    ['a word', { cron: 'every morning at nine o' }, 'invalid_cron'],
    ['@reboot', { cron: '@reboot' }, 'invalid_cron'],
    ['31 February', { cron: '0 0 31 2 *' }, 'rule_never_fires'],
    ['30 February or 31 April', { cron: '0 0 31 4 *', timeZone: 'Europe/Berlin' }, 'rule_never_fires'],
    [
      'an end before the first due time',
      { cron: '@yearly', endsAt: new Date('2026-12-31T00:00:00Z') },
      'rule_never_fires',
    ],
    ['a moment that is over', { at: new Date('2025-01-01T00:00:00Z') }, 'rule_never_fires'],
    ['an unknown zone', { cron: '@daily', timeZone: 'Mars/Olympus' }, 'unknown_time_zone'],
    ['an empty zone', { cron: '@daily', timeZone: '' }, 'unknown_time_zone'],
    ['an offset for a zone', { cron: '@daily', timeZone: '+02:00' }, 'unknown_time_zone'],
    ['an interval under a second', { every: '999ms' }, 'invalid_rule'],
    ['an interval of nought', { every: '0s' }, 'invalid_rule'],
    ['an interval without a unit', { every: '15' }, 'invalid_rule'],
    ['no rule', {}, 'invalid_rule'],
    ['two rules', { cron: '@daily', every: '1h' }, 'invalid_rule'],
    ['a date that is none', { at: new Date(Number.NaN) }, 'invalid_rule'],
    [
      'an end before the start',
      { cron: '@daily', startsAt: new Date('2026-02-01T00:00:00Z'), endsAt: new Date('2026-01-01T00:00:00Z') },
      'invalid_rule',
    ],
  ])('%s', (_, rule, code) => {
    expect(refusal(rule)).toBe(code);
  });
});

describe('a preview', () => {
  test('says what the rule means and marks where the clock changes', () => {
    const preview = previewSchedule(
      { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
      { after: new Date('2026-03-27T12:00:00Z'), count: 3 },
    );
    expect(preview.words).toBe('At 02:30, in Europe/Berlin');
    expect(preview.dueTimes.map(({ local, dst }) => [local, dst])).toEqual([
      ['2026-03-28T02:30:00+01:00', null],
      ['2026-03-29T03:00:00+02:00', 'moved'],
      ['2026-03-30T02:30:00+02:00', null],
    ]);
    const autumn = previewSchedule(
      { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
      { after: new Date('2026-10-24T12:00:00Z'), count: 2 },
    );
    expect(autumn.dueTimes.map(({ dst }) => dst)).toEqual(['runs_once', null]);
    const hourly = previewSchedule(
      { cron: '0 * * * *', timeZone: 'Europe/Berlin' },
      { after: new Date('2026-10-24T23:30:00Z'), count: 3 },
    );
    expect(hourly.dueTimes.map(({ dst }) => dst)).toEqual([null, 'repeated', null]);
  });

  test.each([
    [{ every: '90m' as const }, 'Every 90 minutes'],
    [{ every: '1d' as const }, 'Every day'],
    [{ at: new Date('2026-06-01T00:00:00Z') }, 'Once, at 2026-06-01T00:00:00.000Z'],
    [{ cron: '0 9 * * 1', timeZone: 'Europe/Berlin' }, 'At 09:00, only on Monday, in Europe/Berlin'],
    [
      { cron: '@weekly', endsAt: new Date('2026-06-01T00:00:00Z') },
      'At 00:00, only on Sunday, in UTC, before 2026-06-01T00:00:00.000Z',
    ],
  ])('the rule %p has its meaning in words', (rule, words) => {
    expect(previewSchedule(rule, { after: new Date('2026-01-01T00:00:00Z') }).words).toBe(words);
  });

  test('a splay delays each due time by the same time and never changes which instants are due times', () => {
    const { dueTimes } = previewSchedule(
      { cron: '@daily' },
      { after: new Date('2026-01-01T00:00:00Z'), count: 3, key: 'a', splayMs: 600_000 },
    );
    const shifts = new Set(dueTimes.map(({ dueAt, firesAt }) => firesAt.getTime() - dueAt.getTime()));
    expect(shifts.size).toBe(1);
    expect([...shifts][0]).toBeGreaterThan(0);
    expect([...shifts][0]).toBeLessThanOrEqual(600_000);
    expect(dueTimes[0]!.dueAt.toISOString()).toBe('2026-01-02T00:00:00.000Z');
  });
});

import { describe, expect, test } from '@jest/globals';
import { defineJob } from '@duework/contracts';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { DueworkError } from '@duework/queue-core';
import { parseCron } from './rules/cron-pattern.js';
import { describeRule } from './rules/describe-rule.js';
import { nextDueTimes } from './rules/next-due-times.js';
import { deleteSchedule, findSchedules, findDueTimes, previewSavedSchedule } from './operate-schedules.js';
import { previewSchedule } from './preview-schedule.js';
import { parseRule, type RuleInput } from './rules/rule.js';
import { getSchedule, saveSchedule } from './save-schedule.js';
import { tickSchedules } from './tick/tick-schedules.js';
import { isTimeZone } from './rules/zone-calendar.js';
import { hostileJson, hostileRecipe, hostileText, make, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
const strict = defineJob({ type: 'strict', payload: z.object({ n: z.int().optional() }) });
/** No promise depends on a wall clock; this limit only finds a search that never ends. */
const SLOW_MS = 5_000;

function codeOf(error: unknown): string {
  if (!(error instanceof DueworkError)) throw error;
  return error.code;
}

const atom = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map(String),
  fc.constantFrom(
    '*',
    '?',
    'L',
    'W',
    'LW',
    'JAN',
    'feb',
    'MON',
    'sun',
    'FRI#L',
    '5L',
    '1#5',
    '7',
    '00',
    '99999999999999999999',
    '-1',
    '0x10',
    '٣',
    '',
  ),
);
const item = fc.oneof(
  { arbitrary: atom, weight: 3 },
  fc.tuple(atom, atom).map(([from, to]) => `${from}-${to}`),
  fc.tuple(atom, fc.oneof(atom, fc.constantFrom('0', '1', '59', '1000000'))).map(([range, step]) => `${range}/${step}`),
  fc.tuple(atom, atom).map(([weekday, nth]) => `${weekday}#${nth}`),
  atom.map((day) => `${day}W`),
);
const field = fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(','));
const cronText = fc.oneof(
  { arbitrary: fc.tuple(field, field, field, field, field).map((fields) => fields.join(' ')), weight: 4 },
  // mostly valid, so that the search is tested, too: days that are rare or do not exist
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom('0', '*', '*/7'),
        fc.constantFrom('0', '2', '*'),
        fc.constantFrom('29', '30', '31', '31W', 'L', '1W', '29-31'),
        fc.constantFrom('2', '2,4,6', '*', '2-2'),
        fc.constantFrom('*', '1', '1#5', 'MON#L', '5L'),
      )
      .map((fields) => fields.join(' ')),
    weight: 4,
  },
  hostileText,
  fc.constantFrom(
    '@daily',
    '@never',
    '@',
    '@reboot',
    '* * * * * *',
    '* * * *',
    '0 0 30 2 *',
    '0 0 31 2,4,6,9,11 *',
    `${'0,'.repeat(90)}0 * * * *`,
  ),
);
const zone = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'europe/BERLIN',
      'America/New_York',
      'Pacific/Apia',
      'Australia/Lord_Howe',
    ),
    weight: 3,
  },
  hostileText,
  fc.constantFrom(
    'Еurope/Berlin',
    '+02:00',
    'Etc/GMT+14',
    'UTC+1',
    '../../etc/passwd',
    'Europe/Berlin\0',
    'local',
    'Factory',
  ),
);
const moment = fc.oneof(
  fc.constantFrom(
    new Date(0),
    new Date(-1),
    new Date(NaN),
    new Date(8.64e15),
    new Date(-8.64e15),
    new Date('9999-12-31T23:59:59.999Z'),
    new Date('0000-01-01T00:00:00Z'),
    new Date('2026-03-29T01:00:00Z'),
  ),
  fc.date({ noInvalidDate: false }),
);

describe('whatever text is given as a rule', () => {
  test('it is refused with a code, or has words and due times in ascending order', async () => {
    await fuzz(
      fc.property(
        cronText,
        zone,
        fc.option(moment, { nil: undefined }),
        fc.option(moment, { nil: undefined }),
        moment,
        (cron, timeZone, startsAt, endsAt, after) => {
          const startedMs = performance.now();
          try {
            const input = {
              cron,
              timeZone,
              ...(startsAt === undefined ? {} : { startsAt }),
              ...(endsAt === undefined ? {} : { endsAt }),
            } as RuleInput;
            const { dueTimes, words } = previewSchedule(input, { after, count: 20 });
            expect(words).not.toBe('');
            expect(dueTimes.every(({ dueAt }, index) => index === 0 || dueAt > dueTimes[index - 1]!.dueAt)).toBe(true);
          } catch (error) {
            expect([
              'invalid_cron',
              'unknown_time_zone',
              'invalid_rule',
              'rule_never_fires',
              'invalid_option',
            ]).toContain(codeOf(error));
          }
          expect(performance.now() - startedMs).toBeLessThan(SLOW_MS);
        },
      ),
      300,
    );
  });

  test.each(['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '59 23 31W 2 *', '0 0 29 2 *', '0 0 29 2 MON#5'])(
    'the search of %s asks its library a bounded number of times',
    (cron) => {
      const rule = parseRule({ cron, timeZone: 'America/New_York' });
      let searches = 0;
      const pattern = { ...parseCron(cron), nextLocal: (ms: number) => (searches++, parseCron(cron).nextLocal(ms)) };
      const dueTimes = nextDueTimes({ ...rule, kind: { name: 'cron', pattern } }, Date.UTC(2026, 0, 1), 3);
      // one search for each change of the clock on the way
      expect(searches).toBeLessThan(2 * 40 * (dueTimes.length + 1));
    },
  );

  test('a pattern that the library of words cannot read is shown as it is', () => {
    expect(describeRule(parseRule({ cron: '0 0 * * FRI#L' }))).toBe('At 0 0 * * FRI#L, in UTC');
  });

  test('a zone that is spelled in another way is the same zone, and its calendar is kept once', () => {
    expect(isTimeZone('eUROPE/bERLIN')).toBe(true);
    expect(
      previewSchedule({ cron: '0 9 * * *', timeZone: 'eUROPE/bERLIN' }, { after: new Date('2026-01-01'), count: 1 })
        .dueTimes[0]!.local,
    ).toBe('2026-01-01T09:00:00+01:00');
  });
});

describe('whatever is given as a schedule', () => {
  test('it is refused with a code and nothing is written, or it can be shown, ticked and deleted', async () => {
    const anything = fc.oneof(hostileRecipe, fc.record({ json: hostileText }));
    const sometimes = { requiredKeys: [] };
    const policy = fc
      .oneof(
        hostileJson,
        fc.record(
          {
            policy: fc.oneof(hostileJson, fc.constantFrom('all', 'queue')),
            limit: hostileJson,
            tolerance: hostileJson,
            maxAge: hostileJson,
          },
          sometimes,
        ),
      )
      .map((json) => ({ json }));
    const options = fc.record(
      { missed: policy, overlap: policy, splay: anything, every: anything, at: anything, timeZone: anything },
      sometimes,
    );
    let n = 0;
    await fuzz(
      fc.asyncProperty(
        options,
        anything,
        fc.option(fc.record({ json: cronText })),
        fc.option(anything),
        async (given, payload, cron, oddKey) => {
          const key = oddKey === null ? `key:${n++}` : make(oddKey);
          const made = Object.fromEntries(Object.entries(given).map(([name, recipe]) => [name, make(recipe)]));
          const request = {
            ...made,
            ...(cron === null ? { every: '1h' } : { cron: cron.json }),
            key,
            payload: make(payload),
          };
          try {
            await saveSchedule(database.db, strict, request as never);
          } catch (error) {
            expect(codeOf(error)).toMatch(/^(invalid_|payload_|unknown_time_zone|rule_never_fires)/);
            await expect(getSchedule(database.db, key as never)).rejects.toMatchObject({ code: 'schedule_not_found' });
            return;
          }
          expect((await getSchedule(database.db, key as string)).words).not.toBe('');
          await tickSchedules({ db: database.db, catalog: [strict] });
          await deleteSchedule(database.db, key as string);
        },
      ),
      60,
    );
  });

  test('a payload is refused when a field that its contract would leave out cannot be stored', async () => {
    for (const extra of ['\0', '\ud800', 'x'.repeat(70_000), JSON.parse('{"__proto__":1}')]) {
      await expect(
        saveSchedule(database.db, strict, { key: 'extra', every: '1h', payload: { extra } as never }),
      ).rejects.toMatchObject({ code: expect.stringMatching(/^payload_(not_storable|too_large)$/) });
    }
  });

  test('impossible keys, filters and cursors are refused, or find nothing', async () => {
    const anything = fc.oneof(
      hostileRecipe,
      fc.record({
        json: fc.oneof(
          hostileText,
          moment,
          fc.constantFrom(
            '9999-99-99T99:99:99.999999Z_1',
            '2026-02-30T00:00:00.000000Z_1',
            '2026-01-01T00:00:00.000000Z_99999999999999999',
          ),
        ),
      }),
    );
    await fuzz(
      fc.asyncProperty(anything, anything, async (...recipes) => {
        const [one, two] = recipes.map(make);
        const isRefused = (error: unknown): void =>
          expect(['invalid_option', 'invalid_cursor', 'schedule_not_found']).toContain(codeOf(error));
        await findDueTimes(database.db, { scheduleKey: one, type: two } as never).catch(isRefused);
        await findDueTimes(database.db, { from: one, to: two } as never).catch(isRefused);
        await findDueTimes(database.db, { cursor: one, limit: 1 } as never).catch(isRefused);
        await findSchedules(database.db, { cursor: one, type: two } as never).catch(isRefused);
        await previewSavedSchedule(database.db, one as never).catch(isRefused);
      }),
      40,
    );
  });
});
